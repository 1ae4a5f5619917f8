// SPDX-License-Identifier: Apache-2.0

/// Gives decoded pictures their presentation times. Decoders output pictures in the order of their presentation; one whose
/// unit had no time stamp belongs one picture behind the one before it, wherever its unit came in the stream.
struct PresentationTimes: Sendable {
    /// More pictures than any decoder keeps (H.264 A.3.1), with those that it lost.
    private static let mostKept = 64

    private var estimates = [Int64](repeating: .min, count: mostKept)
    private var next = 0
    /// Learns from the pictures that the decoder outputs, in the order of their presentation.
    private var cadence = PictureCadence()

    /// A unit without a time stamp is sent to the decoder.
    /// - Parameter estimate: the time that it is sent with.
    mutating func sent(estimate: Int64) {
        estimates[next] = estimate
        next = (next + 1) % Self.mostKept
    }

    /// - Parameter time: of the next picture that the decoder outputs, as it was sent.
    mutating func time(ofPicture time: Int64) -> Int64 {
        guard estimates.contains(time) else {
            cadence.stamped(time)
            return time
        }
        return cadence.unstamped() ?? time
    }
}
