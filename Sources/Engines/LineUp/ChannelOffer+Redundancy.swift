// SPDX-License-Identifier: Apache-2.0
import Venue

extension ChannelOffer {
    /// Whether this describes the same packets as another sender's offer: to the same group and port, by the same
    /// licence and name, in the same encapsulation with the same repair. Only their sources may differ.
    func isRedundant(to other: ChannelOffer) -> Bool {
        let (mine, others) = (channel, other.channel)
        guard (version == nil) == (other.version == nil),
            AnnouncedSession.Place(mine) == AnnouncedSession.Place(others),
            mine.contentType == others.contentType, mine.playoutDelay == others.playoutDelay,
            // A box that joins one source does not hear a sender that names none.
            (mine.transport.source == nil) == (others.transport.source == nil)
        else { return false }
        if case .elementary = mine.transport.encapsulation { return false }
        return mine.transport.withoutSources == others.transport.withoutSources
    }
}
