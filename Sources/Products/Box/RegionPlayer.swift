// SPDX-License-Identifier: Apache-2.0
import Playback
import Presentation
import Venue

/// The playback and sound of one region of the stage.
/// - Thread: the control plane's only.
final class RegionPlayer {
    /// The region that always exists, and that a command addresses when it names none.
    static let main = "main"

    let name: String
    /// Name of the strategy to which the region belongs; nil if it belongs to the layout.
    let strategy: String?
    var player: PlaybackController
    var watchdog = RenderStallWatchdog()
    /// Set by the command `visible`. A region that the viewport does not show is not visible either; see `isInSight`.
    var isWished = true
    var isInSight = true
    /// Checks in a row at which a session of sound alone was not heard.
    var silentLooks = 0
    /// The stage's counters of the region when the session was opened, to be subtracted for the session's own.
    var stageBefore: RegionCounters
    var sound: RegionSound
    /// The playlist that was tuned like a channel, from which zapping goes on; nil if none was.
    var tunedPlaylist: Channel.ID?
    /// The channel that is tuned as soon as the line-up has it; nil for none.
    var awaitsChannel: String?
    /// Whether the slate is shown over an open session because the service is down.
    var hasServiceSlate = false
    /// The alarms of a session that were last emitted.
    var alarms: (session: Int, set: StreamIndicator.Set) = (0, [])
    /// The channel that was stopped for an emergency and is tuned again after it; nil for none.
    var gaveWay: String?

    /// - Parameter sound: nil for the standard: `main` is heard, other regions are muted.
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
