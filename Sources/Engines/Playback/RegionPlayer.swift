// SPDX-License-Identifier: Apache-2.0
import Scene
import Venue

/// The playback of one region of the stage.
/// - Thread: the control loop's only.
public final class RegionPlayer {
    /// The region that always exists, and that a command addresses when it names none.
    public static let main = "main"

    public let name: String
    /// The strategy to which the region belongs, as it was when the region was made; nil if it belongs to the layout.
    public let strategy: LayoutStrategy?
    public internal(set) var player: PlaybackController
    /// Set by the command `visible`. A region that the viewport does not show is not visible either; see `isInSight`.
    public var isWished = true
    /// Whether the viewport shows the region.
    public var isInSight = true
    /// False while pictures are not decoded because no output shows the stage; see `output.standby`.
    public var isAwake = true
    /// Whether the stage is on an active output and other regions do not cover this one wholly.
    public var isUncovered = true
    /// The playlist that was tuned like a channel, from which zapping goes on; nil if none was.
    public var tunedPlaylist: Channel.ID?
    /// The channel that is tuned as soon as the line-up has it; nil for none.
    public var awaitsChannel: String? {
        didSet { awaitsProgram = nil }
    }
    /// The program of `awaitsChannel`; nil for that of the channel.
    public private(set) var awaitsProgram: ProgramChoice?
    /// What was stopped for an emergency and is tuned again after it; nil for nothing.
    public var gaveWay: Tuned?

    /// A channel or playlist, and the program of the channel if a command chose one.
    public struct Tuned {
        public let id: Channel.ID
        public let program: ProgramChoice?
    }

    init(_ name: String, _ policy: PlaybackPolicy, of strategy: LayoutStrategy?) {
        self.name = name
        self.strategy = strategy
        player = PlaybackController(policy)
    }

    /// What was tuned; nil if nothing plays that could be tuned again.
    public var tuned: Tuned? {
        if let tunedPlaylist { return Tuned(id: tunedPlaylist, program: nil) }
        guard let session = player.current, let channel = session.source.channel else { return nil }
        let program = session.choice.program
        return Tuned(id: channel.id, program: program == channel.program ? nil : program)
    }

    /// Tunes this as soon as the line-up has it.
    public func tuneLater(_ tuned: Tuned?) {
        awaitsChannel = tuned?.id.text
        awaitsProgram = tuned?.program
    }

    /// What plays and what is awaited goes from each of the two to the other.
    func exchange(with other: RegionPlayer) {
        player.exchange(with: &other.player)
        swap(&tunedPlaylist, &other.tunedPlaylist)
        let (here, there) = ((awaitsChannel, awaitsProgram), (other.awaitsChannel, other.awaitsProgram))
        (awaitsChannel, other.awaitsChannel) = (there.0, here.0)
        (awaitsProgram, other.awaitsProgram) = (there.1, here.1)
    }

    /// Whether pictures are decoded.
    public var isVisible: Bool { isWished && isInSight && isAwake }
    /// Whether people can see what the region shows (SVM-74). Covered regions are decoded all the same.
    public var isShown: Bool { isWished && isInSight && isUncovered }
    public var isMain: Bool { name == Self.main }
}
