// SPDX-License-Identifier: Apache-2.0
import Playback
import Presentation
import Venue

/// A region of the stage, as the control plane has it: what plays there and how it is heard. Its thread alone.
final class RegionPlayer {
    /// The one that is always there, and that commands mean which name none.
    static let main = "main"

    let name: String
    /// The one that brought it; nil: a layout did.
    let strategy: String?
    var player: PlaybackController
    var watchdog = RenderStallWatchdog()
    /// By the command visible; what the viewport does not show is not seen either.
    var isWished = true
    var isInSight = true
    /// Looks in a row at which a session of sound alone was not heard.
    var silentLooks = 0
    /// What the stage had counted of the region when the session was opened: none of that session's.
    var stageBefore: RegionCounters
    var sound: RegionSound
    /// The one that was tuned like a channel, for zapping on from it.
    var tunedPlaylist: Channel.ID?
    /// Tuned as soon as it is in the line-up.
    var awaitsChannel: String?
    /// The slate came while something was open, for the service being down.
    var hasServiceSlate = false
    /// The alarms that were told of a session.
    var alarms: (session: Int, set: StreamIndicator.Set) = (0, [])
    /// What was stopped for an emergency, and is tuned again after it.
    var gaveWay: String?

    /// - Parameter sound: nil: that of `main` is heard, others are not until somebody asks for it.
    init(_ name: String, _ policy: PlaybackPolicy, of strategy: String? = nil, sound: RegionSound? = nil) {
        self.name = name
        self.strategy = strategy
        player = PlaybackController(policy)
        stageBefore = RegionCounters(name: name)
        self.sound = sound ?? RegionSound(isMuted: name != Self.main)
    }

    var isVisible: Bool { isWished && isInSight }
    var isMain: Bool { name == Self.main }
}
