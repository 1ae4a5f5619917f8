// SPDX-License-Identifier: Apache-2.0
import System
import Venue

/// A joined data channel and the payloads that its receive thread puts into a queue. That nothing comes of it is no fault.
public final class PayloadReceiver: Sendable {
    public let channel: Channel
    public let payloads: PayloadQueue
    private let thread: ReceiveThread

    /// Joins and starts to receive.
    /// - Parameters:
    ///   - channel: of RTP.
    ///   - interface: name; empty: by the route.
    ///   - wake: there are payloads; called on the receive thread, once for each batch.
    public init(_ channel: Channel, interface: String, wake: @escaping @Sendable () -> Void) throws(SystemCallError) {
        guard case .rtp(let payloadType) = channel.transport.encapsulation else {
            preconditionFailure("a data channel without RTP")
        }
        self.channel = channel
        let payloads = PayloadQueue(wake: wake)
        self.payloads = payloads
        let media = try ReceivedMedium.join(channel.transport, interface: interface, isExpected: false)
        thread = try ReceiveThread(media, ChannelMembership.Options()) {
            // The sink wakes who reads the queue, also for what a tick alone brought.
        } body: { thread in
            thread.receive(
                into: PayloadSink(
                    channel.transport, payloadType: payloadType, bandwidthKbps: channel.bandwidthKbps, into: payloads))
        }
    }

    public var counters: ReceptionCounters { thread.counters.value }
    public var membership: ChannelMembership { thread.membership }

    /// Leaves the groups and ends the thread.
    public func stop() { thread.stop() }
}
