// SPDX-License-Identifier: Apache-2.0
import Statistics

extension MixerCounters {
    /// Of the audio thread, all sessions together.
    public static let statistics: [Statistic<Self>] = [
        .counter("unitsDecoded", \.unitsDecoded, "units", "Access units of sound that were decoded, of all sessions."),
        .counter(
            "decodeErrors", \.decodeErrors, "units", "Access units of sound that the decoder refused, of all sessions.",
            .fault),
        .counter("framesWritten", \.framesWritten, "frames", "Frames of samples that were written to the output."),
        .counter(
            "silenceFrames", \.silenceFrames, "frames",
            "Frames during which a session that was not paused had nothing that was due."),
        .counter(
            "skippedFrames", \.skippedFrames, "frames",
            "Decoded frames not played: late, of an epoch before, or of a time that cannot be.", .fault),
        .counter("underruns", \.underruns, "underruns", "Times that an output ran dry.", [.fault, .page]),
        .counter(
            "outputErrors", \.outputErrors, "errors",
            "Outputs that could not be opened, were lost, or did not keep what was written.", .fault),
        .counter("outputsLost", \.outputsLost, "outputs", "Outputs that were opened and then lost.", [.fault, .page]),
        .counter("outputRetries", \.outputRetries, "retries", "Times that an output was looked for in vain."),
        .state(
            "isWithoutOutput", \.isWithoutOutput, ["no", "yes"],
            "Whether sound goes nowhere because there is no output.", .fault),
        .text("device", \.device, "Where sound goes: a PCM or a file; empty while it goes nowhere."),
        .gauge(
            "audioErrorUs", \.audioErrorUs, .microseconds,
            "By how much the first session's sound is heard after it was due.", .page),
        .gauge(
            "correctionPPB", \.correctionPPB, .partsPerBillion,
            "By how much the first session's sound is played slower than it was sent.", .page),
        .gauge("peakCentidecibels", \.peakCentidecibels, .centidecibels, "Peak of the sum of all sound.", .page),
        .gauge(
            "rmsCentidecibels", \.rmsCentidecibels, .centidecibels, "Root mean square of the sum of all sound.", .page),
    ]
}
