// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Network
import RTP
import System
import Time
import Venue

/// A joined channel: its sockets, its receive thread and the history that it fills. One per tuned channel.
public final class ChannelReceiver: Sendable {
    public let history: HistoryBuffer
    /// Signalled after each batch that brought something.
    public let arrived = Wakeup()
    public let counters = LatestValue(ReceptionCounters())
    public let joined: Monotonic
    private let media: [ReceivedMedium]
    private let longestRest: Nanoseconds
    private let chosenProgram: LatestValue<UInt16?>
    private let stopping = StopFlag()
    private let thread = LatestValue<DedicatedThread?>(nil)

    /// Octets of the largest datagram kept: a jumbo frame's.
    private static let largestDatagram = 9_216
    private static let batch = 64
    private static let longestRest = Nanoseconds.milliseconds(20)

    /// Joins and starts to receive.
    /// - Parameters:
    ///   - interface: name; empty: by the route.
    ///   - program: its number; nil for the first. Elementary streams are one program.
    ///   - delay: D: what has come is in the history after a tenth of it at the latest.
    public init(
        _ transport: Transport, interface: String, program: UInt16? = nil, delay: Nanoseconds = .zero,
        history: HistoryBuffer
    ) throws(SystemCallError) {
        self.history = history
        longestRest = min(delay / 10, Self.longestRest)
        chosenProgram = LatestValue(program)
        media = try ReceivedMedium.join(transport, interface: interface)
        joined = SystemClock.monotonic()
        let encapsulation = transport.encapsulation
        thread.set(
            try DedicatedThread("receive", urgency: .prompt) { [self] in
                if case .elementary(let media) = encapsulation {
                    receive(into: ElementaryReceiver(media, into: history))
                } else {
                    receive(into: FlowReceiver(encapsulation, program: chosenProgram.value, into: history))
                }
            })
    }

    /// Leaves the groups and ends the thread.
    public func stop() {
        stopping.raise()
        thread.value?.join()
        thread.set(nil)
    }

    /// Follows another program from the next datagrams on: its random-access points and its clock. What the history
    /// already holds keeps the flags and offsets that it was stored with. Any thread.
    /// - Parameter program: its number; nil for the first.
    public func follow(program: UInt16?) { chosenProgram.set(program) }

    private func receive(into sink: some DatagramSink) {
        var batch = DatagramBatch(slots: Self.batch, octets: Self.largestDatagram)
        var rhythm = ReceiveRhythm(longest: longestRest)
        while !stopping.isRaised {
            sink.follow(program: chosenProgram.value)
            var (total, most) = (0, 0)
            // It waits at the first socket only; the kernel stamps what meanwhile comes to the others.
            for medium in media {
                let waits = rhythm.isIdle && medium === media.first
                let count = receive(from: medium, &batch, waits: waits, into: sink)
                total += count
                most = max(most, count)
            }
            sink.tick(at: SystemClock.monotonic())
            counters.set(sink.counters)
            if total > 0 { arrived.signal() }
            let rest = rhythm.looked(most, of: Self.batch)
            if rest > .zero { SystemClock.sleep(until: SystemClock.monotonic() + rest) }
        }
    }

    private func receive(
        from medium: ReceivedMedium, _ batch: inout DatagramBatch, waits: Bool, into sink: some DatagramSink
    ) -> Int {
        var count = 0
        do throws(SystemCallError) {
            count = try batch.receive(from: medium.socket, waits: waits)
        } catch {
            // One that fails for good (its interface went) is silent; the silence watchdog acts on that. It need not
            // have waited, and this thread runs in front of others.
            SystemClock.sleep(until: SystemClock.monotonic() + ReceiveRhythm.shortest)
        }
        for index in 0..<count {
            guard !batch.isTruncated(index) else {
                sink.truncatedDatagramReceived(of: medium.index)
                continue
            }
            let arrival = batch.arrival(index)
            batch.withBytes(index) { bytes in
                switch medium.content {
                case .control: sink.controlReceived(bytes, of: medium.index)
                case .both where SenderReport.isControl(bytes): sink.controlReceived(bytes, of: medium.index)
                case .media, .both: sink.datagramReceived(bytes, of: medium.index, at: arrival)
                }
            }
        }
        if count > 0, medium.content != .control {
            sink.kernelDropsReported(total: batch.kernelDrops, of: medium.index)
        }
        return count
    }
}
