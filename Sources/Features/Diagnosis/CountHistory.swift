// SPDX-License-Identifier: Apache-2.0
import Display
import Mixing
import Playback
import Presentation
import Radio
import Reception
import Time

/// What was counted within the last seconds, one look a second. It tells what is wrong now, not what once was.
struct CountHistory {
    /// Counters of a session that is open.
    struct Session {
        let reception: ReceptionCounters?
        let playback: PlaybackCounters?
        /// Of the region in which it plays.
        let region: RegionCounters
    }

    struct Look {
        let time: Monotonic
        var sessions: [Int: Session] = [:]
        /// nil if the output has no screen.
        var screen: ScreenCounters?
        var mixer = MixerCounters()
        var links: [String: LinkFigures.Counters] = [:]

        init(time: Monotonic) { self.time = time }
    }

    /// Looks that are kept: of five seconds.
    private static let depth = 6

    private var looks: [Look] = []

    mutating func add(_ look: Look) {
        looks.append(look)
        if looks.count > Self.depth { looks.removeFirst() }
    }

    /// The oldest look that is kept; nil before the first one.
    var oldest: Look? { looks.first }

    /// The oldest look at which the session was open, and its counters then; nil if there is none.
    func oldest(of session: Int) -> (time: Monotonic, counters: Session)? {
        for look in looks {
            if let counters = look.sessions[session] { return (look.time, counters) }
        }
        return nil
    }
}
