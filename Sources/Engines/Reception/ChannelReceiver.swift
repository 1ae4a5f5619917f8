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
    /// As of the last whole second.
    public let quality = LatestValue(StreamQuality())
    public let joined: Monotonic
    private let media: [ReceivedMedium]
    private let chosenProgram: LatestValue<UInt16?>
    private let stopping = StopFlag()
    private let thread = LatestValue<DedicatedThread?>(nil)

    /// Octets of the largest datagram kept: a jumbo frame's.
    private static let largestDatagram = 9_216
    private static let batch = 32
    /// A sender writes the packets of a picture one right behind the other: they are taken together. What the kernel
    /// stamps is not moved by it.
    private static let rest = Nanoseconds.milliseconds(1)

    /// Joins and starts to receive.
    /// - Parameters:
    ///   - interface: name; empty: by the route.
    ///   - program: its number; nil for the first. Elementary streams are one program.
    ///   - limits: of what is still good.
    public init(
        _ transport: Transport, interface: String, program: UInt16? = nil, history: HistoryBuffer,
        limits: MonitorLimits = MonitorLimits()
    ) throws(SystemCallError) {
        self.history = history
        chosenProgram = LatestValue(program)
        media = try ReceivedMedium.join(transport, interface: interface)
        joined = SystemClock.monotonic()
        let encapsulation = transport.encapsulation
        thread.set(
            try DedicatedThread("receive", urgency: .prompt) { [self] in
                if case .elementary(let media) = encapsulation {
                    receive(into: ElementaryReceiver(media, into: history, limits: limits))
                } else {
                    receive(
                        into: FlowReceiver(
                            encapsulation, program: chosenProgram.value, into: history, limits: limits))
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
        while !stopping.isRaised {
            sink.follow(program: chosenProgram.value)
            var (total, most) = (0, 0)
            // At the first socket it waits; the kernel stamps what meanwhile comes to the others.
            for medium in media {
                let count = receive(from: medium, &batch, waits: medium === media.first, into: sink)
                total += count
                most = max(most, count)
            }
            sink.tick(at: SystemClock.monotonic())
            counters.set(sink.counters)
            quality.set(sink.quality)
            guard total > 0 else { continue }
            arrived.signal()
            if most < Self.batch { SystemClock.sleep(until: SystemClock.monotonic() + Self.rest) }
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
            SystemClock.sleep(until: SystemClock.monotonic() + Self.rest)
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
