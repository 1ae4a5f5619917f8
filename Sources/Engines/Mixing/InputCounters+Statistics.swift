// SPDX-License-Identifier: Apache-2.0
import Statistics

extension InputCounters {
    /// Of one session.
    public static let statistics: [Statistic<Self>] = [
        .counter("unitsDecoded", \.unitsDecoded, "units", "Access units of sound that were decoded."),
        .counter(
            "decodeErrors", \.decodeErrors, "units", "Access units of sound that the decoder refused.", [.fault, .page]),
        .counter(
            "silenceFrames", \.silenceFrames, "frames",
            "Frames at 48 kHz during which it was not paused and had nothing that was due."),
        .counter(
            "skippedFrames", \.skippedFrames, "frames",
            "Decoded frames not played: late, of an epoch before, or of a time that cannot be.", .fault),
        .gauge("errorUs", \.errorUs, .microseconds, "By how much sound is heard after it was due; negative: before."),
        .gauge(
            "correctionPPB", \.correctionPPB, .partsPerBillion, "By how much sound is played slower than it was sent."),
        .gauge("peakCentidecibels", \.level.peak, .centidecibels, "Peak of the sound, behind its volume."),
        .gauge("rmsCentidecibels", \.level.rms, .centidecibels, "Root mean square of the sound, behind its volume."),
    ]
}
