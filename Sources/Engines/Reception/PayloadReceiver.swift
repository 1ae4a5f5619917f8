// SPDX-License-Identifier: Apache-2.0
import System
import Venue

/// A joined data channel: its sockets, its receive thread, and the payloads that come of it.
public final class PayloadReceiver: Sendable {
    public let channel: Channel
    public let payloads: PayloadQueue
    private let receiver: ChannelReceiver

    /// Joins and starts to receive.
    /// - Parameters:
    ///   - channel: of RTP.
    ///   - interface: name; empty: by the route.
    ///   - wake: there are payloads; called on the receive thread, once for each batch.
    public init(_ channel: Channel, interface: String, wake: @escaping @Sendable () -> Void) throws(SystemCallError) {
        self.channel = channel
        payloads = PayloadQueue(wake: wake)
        receiver = try ChannelReceiver(channel, interface: interface, into: payloads)
    }

    public var counters: ReceptionCounters { receiver.counters.value }
    public var membership: ChannelMembership { receiver.membership }

    /// Leaves the groups and ends the thread.
    public func stop() { receiver.stop() }
}
