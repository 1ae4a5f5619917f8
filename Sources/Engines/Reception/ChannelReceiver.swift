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
    /// Is told of all input; nil if the channel is not recorded.
    public let tap: (any InputTap)?
    private let thread: ReceiveThread
    private let transport: Transport
    private let bandwidthKbps: Int

    /// Joins the groups and starts the receive thread.
    /// - Parameters:
    ///   - interface: name of the interface; empty: the route decides.
    ///   - bandwidthKbps: nominal bandwidth of the media; 0 when it is not known.
    ///   - program: nil for the first program. Ignored for elementary streams, which are one program.
    ///   - delay: play-out delay D. What arrives is in the history after 0.3 D at the latest.
    ///   - limits: thresholds of the stream monitor.
    ///   - clock: the kernel's wall clock, by which datagrams are stamped.
    ///   - findsParity: whether parity (SMPTE ST 2022-1) is looked for if the transport says nothing of repair.
    ///   - tap: is told of all input of a transport stream; that of elementary streams is not recorded.
    /// - Throws: `SystemCallError` when a media socket cannot be opened or joined, or the thread cannot be started.
    public init(
        _ transport: Transport, interface: String, bandwidthKbps: Int = 0, program: ProgramChoice? = nil,
        delay: Nanoseconds = .zero, history: HistoryBuffer,
        membership options: ChannelMembership.Options = ChannelMembership.Options(),
        limits: MonitorLimits = MonitorLimits(), findsParity: Bool = false,
        clock: StampingClock = StampingClock(), tap: (any InputTap)? = nil
    ) throws(SystemCallError) {
        (self.history, self.tap) = (history, tap)
        self.transport = transport
        self.bandwidthKbps = bandwidthKbps
        let media = try ReceivedMedium.join(transport, interface: interface, findsParity: findsParity)
        let rest = min(delay * 3 / 10, ReceiveThread.longestRest)
        let arrived = arrived
        thread = try ReceiveThread(media, program: program, options, longestRest: rest, clock: clock) {
            arrived.signal()
        } body: { thread in
            if case .elementary(let streams) = transport.encapsulation {
                thread.receive(into: ElementaryReceiver(streams, into: history, limits: limits))
            } else {
                let flow = FlowReceiver(
                    transport, bandwidthKbps: bandwidthKbps, program: program, findsParity: findsParity,
                    into: history, limits: limits)
                if let tap {
                    thread.receive(into: RecordedFlow(flow, tap), playsOneSender: true)
                } else {
                    thread.receive(into: flow, playsOneSender: true)
                }
            }
        }
    }

    public var counters: ReceptionCounters { thread.counters.value }
    /// Quality as of the last whole second.
    public var quality: StreamQuality { thread.quality.value }
    public var membership: ChannelMembership { thread.membership }

    /// Parity that was found beside the media, whether or not it is used; nil if there is none.
    public var found: RepairParity? { thread.found.value }
    /// Two senders of the media at the same time, of which one is played; nil if there is one.
    public var conflict: SenderConflict? { thread.conflict.value }
    /// Whether repair that was found is used, or will be with the next packets.
    public var isReinforced: Bool { thread.reinforcement.value != nil }

    /// Repairs by what was found, from the next packets on. Does nothing the second time.
    /// - Parameter hold: how long a gap may stay open; see `allow`.
    /// - Thread: the control loop.
    public func reinforce(by repair: Repair, hold: Nanoseconds) {
        var transport = transport
        transport.repair = repair
        guard !isReinforced, let protection = FlowProtection(transport, bandwidthKbps: bandwidthKbps) else { return }
        thread.reinforcement.set(FlowReinforcement(protection, allowed: hold))
    }

    /// Bounds how long repair that was found may take. Does nothing where repair was announced.
    /// - Parameter hold: the time from an arrival to its presentation, less what playback needs of it.
    public func allow(_ hold: Nanoseconds) { thread.reinforcement.value?.allow(hold) }

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
