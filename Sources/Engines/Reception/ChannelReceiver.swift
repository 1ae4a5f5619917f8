// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import System
import Time
import Venue

/// A joined channel of pictures and sound, and the history that its receive thread fills. One per tuned channel.
public final class ChannelReceiver: Sendable {
    public let history: HistoryBuffer
    /// Signalled after each batch that brought something.
    public let arrived = Wakeup()
    private let thread: ReceiveThread

    /// Joins and starts to receive.
    /// - Parameters:
    ///   - interface: name; empty: by the route.
    ///   - bandwidthKbps: nominal; 0: not known.
    ///   - program: its number; nil for the first. Elementary streams are one program.
    ///   - delay: D: what has come is in the history after a fifth of it at the latest.
    ///   - limits: of what is still good.
    public init(
        _ transport: Transport, interface: String, bandwidthKbps: Int = 0, program: UInt16? = nil,
        delay: Nanoseconds = .zero, history: HistoryBuffer,
        membership options: ChannelMembership.Options = ChannelMembership.Options(),
        limits: MonitorLimits = MonitorLimits()
    ) throws(SystemCallError) {
        self.history = history
        let media = try ReceivedMedium.join(transport, interface: interface)
        let rest = min(delay / 5, ReceiveThread.longestRest)
        let arrived = arrived
        thread = try ReceiveThread(media, program: program, options, longestRest: rest) {
            arrived.signal()
        } body: { thread in
            if case .elementary(let streams) = transport.encapsulation {
                thread.receive(into: ElementaryReceiver(streams, into: history, limits: limits))
            } else {
                thread.receive(
                    into: FlowReceiver(
                        transport, bandwidthKbps: bandwidthKbps, program: program, into: history, limits: limits))
            }
        }
    }

    public var counters: ReceptionCounters { thread.counters.value }
    /// As of the last whole second.
    public var quality: StreamQuality { thread.quality.value }
    public var membership: ChannelMembership { thread.membership }

    /// Tells the thread to end and returns at once; `stop` still has to be called.
    public func close() { thread.close() }

    /// The thread has ended: `stop` does not wait.
    public var hasEnded: Bool { thread.hasEnded }

    /// Waits for the end of the thread. The groups are left with the last reference to the receiver.
    public func stop() { thread.stop() }

    /// Follows another program from the next datagrams on: its random-access points and its clock. What the history
    /// already holds keeps the flags and offsets that it was stored with. Any thread.
    /// - Parameter program: its number; nil for the first.
    public func follow(program: UInt16?) { thread.follow(program: program) }
}
