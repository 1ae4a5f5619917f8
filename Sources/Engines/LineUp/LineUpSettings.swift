// SPDX-License-Identifier: Apache-2.0
import Settings
import Time
import Venue

/// What the settings say about the line-up.
public struct LineUpSettings: Equatable, Sendable {
    /// The box's licence triplet; nil if it has none, so that no licensed channel is listed.
    public var fieldOfUse: FieldOfUse?
    /// Whether plain SAP/SDP, which carries no licence, is listed.
    public var acceptsUnlicensed: Bool
    /// Senders whose announcements are accepted; empty to accept all that are not denied.
    public var allowedSenders: Set<NumericAddress>
    /// Senders that are never accepted, even if they are in `allowedSenders`.
    public var deniedSenders: Set<NumericAddress>
    /// How many announcement intervals of silence take a channel off the list.
    public var missedIntervals: Int
    /// The least silence that takes a channel off the list.
    public var pruneMinimum: Nanoseconds
    /// Channels that are listed without any announcement. Of two with one id the first counts.
    public var channels: [Channel]
    /// Names of playlists that are listed as channels are.
    public var playlists: [String]
    /// Numbers, names, favourites, groups and order of the entries.
    public var arrangement: ChannelArrangement

    public init(
        fieldOfUse: FieldOfUse? = nil, acceptsUnlicensed: Bool = true, allowedSenders: Set<NumericAddress> = [],
        deniedSenders: Set<NumericAddress> = [], missedIntervals: Int = 3, pruneMinimum: Nanoseconds = .seconds(15),
        channels: [Channel] = [], playlists: [String] = [], arrangement: ChannelArrangement = ChannelArrangement()
    ) {
        self.fieldOfUse = fieldOfUse
        self.acceptsUnlicensed = acceptsUnlicensed
        self.allowedSenders = allowedSenders
        self.deniedSenders = deniedSenders
        self.missedIntervals = missedIntervals
        self.pruneMinimum = pruneMinimum
        self.channels = channels
        self.playlists = playlists
        self.arrangement = arrangement
    }

    public init(_ settings: Settings) {
        self.init(
            fieldOfUse: settings.license, acceptsUnlicensed: settings.announcements.listsUnlicensed,
            allowedSenders: Set(settings.announcements.allowedSources),
            deniedSenders: Set(settings.announcements.deniedSources),
            missedIntervals: settings.announcements.missedIntervals,
            pruneMinimum: settings.announcements.pruneMinimum, channels: settings.channels.map(\.channel),
            playlists: settings.playlists.map(\.name), arrangement: ChannelArrangement(settings))
    }

    /// How long something that is announced at this interval may be silent.
    func patience(_ interval: Nanoseconds) -> Nanoseconds { max(interval * Int64(missedIntervals), pruneMinimum) }

    func allows(_ sender: NumericAddress) -> Bool {
        !deniedSenders.contains(sender) && (allowedSenders.isEmpty || allowedSenders.contains(sender))
    }

    /// Whether the channel's licence equals the box's in all three parts, case-sensitively (SVM-16).
    func licenses(_ channel: Channel) -> Bool {
        guard let license = channel.fieldOfUse else { return acceptsUnlicensed }
        return license == fieldOfUse
    }
}
