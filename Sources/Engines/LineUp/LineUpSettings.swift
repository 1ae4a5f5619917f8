// SPDX-License-Identifier: Apache-2.0
import Venue

/// What the settings say about the line-up.
public struct LineUpSettings: Equatable, Sendable {
    /// The box's licence triplet; nil: none of the licensed channels is listed.
    public var fieldOfUse: FieldOfUse?
    /// `announcements.acceptUnlicensed`: whether plain SAP/SDP, which carries no licence, is listed.
    public var acceptsUnlicensed: Bool
    /// Senders of announcements; empty: all that are not denied.
    public var allowedSenders: Set<IPAddress>
    /// Prevails over `allowedSenders`.
    public var deniedSenders: Set<IPAddress>
    /// Listed without any announcement. Of two with one id the first counts.
    public var channels: [Channel]

    public init(
        fieldOfUse: FieldOfUse? = nil, acceptsUnlicensed: Bool = true, allowedSenders: Set<IPAddress> = [],
        deniedSenders: Set<IPAddress> = [], channels: [Channel] = []
    ) {
        self.fieldOfUse = fieldOfUse
        self.acceptsUnlicensed = acceptsUnlicensed
        self.allowedSenders = allowedSenders
        self.deniedSenders = deniedSenders
        self.channels = channels
    }

    func allows(_ sender: IPAddress) -> Bool {
        !deniedSenders.contains(sender) && (allowedSenders.isEmpty || allowedSenders.contains(sender))
    }

    /// All three equal, with case (SVM-16).
    func licenses(_ channel: Channel) -> Bool {
        guard let license = channel.fieldOfUse else { return acceptsUnlicensed }
        return license == fieldOfUse
    }
}
