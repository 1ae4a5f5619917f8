// SPDX-License-Identifier: Apache-2.0
import Settings
import Time
import Venue

/// What the settings say about the line-up.
public struct LineUpSettings: Equatable, Sendable {
    /// The box's licence triplet; nil: none of the licensed channels is listed.
    public var fieldOfUse: FieldOfUse?
    /// Whether plain SAP/SDP, which carries no licence, is listed.
    public var acceptsUnlicensed: Bool
    /// Senders of announcements; empty: all that are not denied.
    public var allowedSenders: Set<NumericAddress>
    /// Prevails over `allowedSenders`.
    public var deniedSenders: Set<NumericAddress>
    /// Silence for as many intervals takes a channel off the list.
    public var missedIntervals: Int
    /// And for no less time than this.
    public var pruneMinimum: Nanoseconds
    /// Listed without any announcement. Of two with one id the first counts.
    public var channels: [Channel]
    /// Names of playlists, listed as channels are.
    public var playlists: [String]
    /// Numbers, names, marks, order.
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

    /// How long the silence of something may last that is heard at this interval.
    func patience(_ interval: Nanoseconds) -> Nanoseconds { max(interval * Int64(missedIntervals), pruneMinimum) }

    func allows(_ sender: NumericAddress) -> Bool {
        !deniedSenders.contains(sender) && (allowedSenders.isEmpty || allowedSenders.contains(sender))
    }

    /// All three equal, with case (SVM-16).
    func licenses(_ channel: Channel) -> Bool {
        guard let license = channel.fieldOfUse else { return acceptsUnlicensed }
        return license == fieldOfUse
    }
}
