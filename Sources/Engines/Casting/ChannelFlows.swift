// SPDX-License-Identifier: Apache-2.0
import Announcements
import Time
import Venue

/// Makes the datagrams of all flows of a channel, each with the time at which it is due. Opens no socket and reads no
/// clock.
/// - Thread: the one that owns it.
public final class ChannelFlows {
    private let source: any DatagramSource
    private let protection: FlowProtection

    /// - Parameter incoming: returns the messages that have come for a data channel since the last call.
    /// - Throws: the reason why the channel cannot be made: a missing encoder, font or file.
    public convenience init(
        _ channel: HeadEndConfiguration.CastChannel, identity: ChannelCaster.Identity,
        incoming: @escaping () -> [OutgoingMessage] = { [] }
    ) throws {
        let source: any DatagramSource
        switch channel.content {
        case .testCard, .file: source = try ChannelCaster(channel, identity: identity)
        case .data(let data):
            source = MessageCaster(
                data, transport: channel.announcement.transport, identity: identity, incoming: incoming)
        }
        self.init(source, of: channel, identity: identity)
    }

    init(
        _ source: any DatagramSource, of channel: HeadEndConfiguration.CastChannel, identity: ChannelCaster.Identity
    ) {
        self.source = source
        let seed = UInt64(identity.ssrc) << 32 | UInt64(identity.timestamp)
        protection = FlowProtection(channel, seed: seed ^ UInt64(identity.sequence))
    }

    public var nextSlotStart: Nanoseconds { source.nextSlotStart }

    /// Makes the next slot and passes on its datagrams in the order in which they are due.
    public func nextSlot(
        clock: String, _ body: (UnsafeRawBufferPointer, CastFlow, Nanoseconds) -> Void
    ) throws {
        try source.nextSlot(clock: clock) { packet, due in protection.packetMade(packet, due: due, body) }
        protection.advance(to: source.nextSlotStart, body)
    }
}
