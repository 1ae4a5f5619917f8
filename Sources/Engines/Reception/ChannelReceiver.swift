// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Network
import System
import Time
import Venue

/// A joined channel of video and audio, and the history that its receive thread fills. There is one for each tuned
/// channel.
public final class ChannelReceiver: Sendable {
    public let history: HistoryBuffer
    /// Signalled after each batch in which a datagram arrived.
    public let arrived = Wakeup()
    private let thread: ReceiveThread

    /// Joins the groups and starts the receive thread.
    /// - Parameters:
    ///   - interface: name of the interface; empty: the route decides.
    ///   - bandwidthKbps: nominal bandwidth of the media; 0 when it is not known.
    ///   - program: nil for the first program. Ignored for elementary streams, which are one program.
    ///   - delay: play-out delay D. What arrives is in the history after D / 5 at the latest.
    ///   - limits: thresholds of the stream monitor.
    ///   - clock: the kernel's wall clock, by which datagrams are stamped.
    /// - Throws: `SystemCallError` when a media socket cannot be opened or joined, or the thread cannot be started.
    public init(
        _ transport: Transport, interface: String, bandwidthKbps: Int = 0, program: ProgramChoice? = nil,
        delay: Nanoseconds = .zero, history: HistoryBuffer,
        membership options: ChannelMembership.Options = ChannelMembership.Options(),
        limits: MonitorLimits = MonitorLimits(), clock: StampingClock = StampingClock()
    ) throws(SystemCallError) {
        self.history = history
        let media = try ReceivedMedium.join(transport, interface: interface)
        let rest = min(delay / 5, ReceiveThread.longestRest)
        let arrived = arrived
        thread = try ReceiveThread(media, program: program, options, longestRest: rest, clock: clock) {
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
    /// Quality as of the last whole second.
    public var quality: StreamQuality { thread.quality.value }
    public var membership: ChannelMembership { thread.membership }

    /// Tells the thread to end and returns at once; `stop` still has to be called.
    public func close() { thread.close() }

    /// Whether the thread has ended, so that `stop` does not wait.
    public var hasEnded: Bool { thread.hasEnded }

    /// Waits for the end of the thread. The groups are left with the last reference to the receiver.
    public func stop() { thread.stop() }

    /// Follows the random-access points and the clock of another program, from the next datagrams on. Records that the
    /// history already holds keep their flags and offsets. Any thread.
    /// - Parameter program: nil for the first program.
    public func follow(program: ProgramChoice?) { thread.follow(program: program) }
}
