// SPDX-License-Identifier: Apache-2.0
import System
import Venue

/// A joined data channel and the queue into which its receive thread puts payloads. Silence of such a channel is no
/// fault.
public final class PayloadReceiver: Sendable {
    public let channel: Channel
    public let payloads: PayloadQueue
    private let thread: ReceiveThread

    /// Joins the groups and starts the receive thread.
    /// - Parameters:
    ///   - channel: a channel of RTP; any other is a precondition failure.
    ///   - interface: name of the interface; empty: the route decides.
    ///   - wake: see `PayloadQueue.init`; called once more when the thread has ended.
    public init(_ channel: Channel, interface: String, wake: @escaping @Sendable () -> Void) throws(SystemCallError) {
        guard case .rtp(let payloadType) = channel.transport.encapsulation else {
            preconditionFailure("a data channel without RTP")
        }
        self.channel = channel
        let payloads = PayloadQueue(wake: wake)
        self.payloads = payloads
        let media = try ReceivedMedium.join(channel.transport, interface: interface, isExpected: false)
        thread = try ReceiveThread(media, ChannelMembership.Options()) {
            // `PayloadQueue` wakes its reader itself, also for payloads that a tick alone released.
        } hasEnded: {
            wake()
        } body: { thread in
            thread.receive(
                into: PayloadSink(
                    channel.transport, payloadType: payloadType, bandwidthKbps: channel.bandwidthKbps, into: payloads))
        }
    }

    public var counters: ReceptionCounters { thread.counters.value }
    public var membership: ChannelMembership { thread.membership }

    /// Tells the thread to end and returns at once; `stop` still has to be called.
    public func close() { thread.close() }

    /// Whether the thread has ended, so that `stop` does not wait.
    public var hasEnded: Bool { thread.hasEnded }

    /// Ends the thread and waits for it. The groups are left with the last reference to the receiver.
    public func stop() { thread.stop() }
}
