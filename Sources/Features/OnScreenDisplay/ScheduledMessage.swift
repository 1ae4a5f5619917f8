// SPDX-License-Identifier: Apache-2.0
import Time
import Timelines

/// When a message that waits for its pictures is over. Time stamps come again, after 26.5 hours, or when an encoder or its
/// film begins anew; what was said of the pictures before is not meant for those.
struct ScheduledMessage {
    /// What plays of a channel.
    struct Look {
        var session: Int
        /// Time stamp of the picture that is shown, 90 kHz.
        var stamp: Int64
        var behindLive: Nanoseconds
        /// How far back the channel can be rewound at most.
        var history: Nanoseconds
    }

    /// The time stamp at live, and when.
    private struct Live {
        let session: Int
        let stamp: Int64
        let at: Monotonic

        /// Whether the time stamps have jumped from here to there.
        func isOff(_ other: Live) -> Bool {
            let expected = stamp &+ TickRate.mpeg.ticks(other.at - at)
            return StampSpan.distance(from: expected, to: other.stamp).magnitude > leap
        }
    }

    /// The pictures come a little later than their stamps say, if playback waits for something.
    private static let margin = Nanoseconds.seconds(10)
    /// Stamps have jumped if they are off by more than this from where they should be.
    private static let leap = TickRate.mpeg.ticks(.seconds(5))

    let pictures: StampSpan
    /// When nobody can rewind to its pictures any more; nil before a channel is looked at.
    private var end: Monotonic?
    private var live: Live?
    /// Where the stamps seem to have jumped to, until the next look agrees. While somebody rewinds, the position is told
    /// before its picture is shown.
    private var doubtful: Live?
    /// Whether live has come to its pictures.
    private var isReached = false

    init(_ pictures: StampSpan) { self.pictures = pictures }

    /// To be asked about once a second.
    /// - Parameter look: nil if no picture of a channel is shown.
    mutating func isOver(_ look: Look?, at now: Monotonic) -> Bool {
        if let end, now >= end { return true }
        guard let look else { return false }
        let stamp = look.stamp &+ TickRate.mpeg.ticks(look.behindLive)
        let new = Live(session: look.session, stamp: stamp, at: now)
        if let live, live.session == new.session, isReached, live.isOff(new) {
            if let doubtful, !doubtful.isOff(new) { return true }
            doubtful = new
            return false
        }
        (live, doubtful) = (new, nil)
        isReached = isReached || StampSpan.distance(from: pictures.start, to: stamp) >= 0
        if end == nil {
            let left = StampSpan.distance(from: stamp, to: pictures.start &+ pictures.ticks)
            end = now + max(.zero, TickRate.mpeg.nanoseconds(left)) + look.history + Self.margin
        }
        return false
    }
}
