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
    public let membership: ChannelMembership
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
    ///   - bandwidthKbps: nominal; 0: not known.
    ///   - program: its number; nil for the first. Elementary streams are one program.
    public init(
        _ transport: Transport, interface: String, bandwidthKbps: Int = 0, program: UInt16? = nil,
        history: HistoryBuffer, membership options: ChannelMembership.Options = ChannelMembership.Options()
    ) throws(SystemCallError) {
        self.history = history
        chosenProgram = LatestValue(program)
        media = try ReceivedMedium.join(transport, interface: interface)
        joined = SystemClock.monotonic()
        membership = ChannelMembership(media.map(\.membership), options, at: joined)
        thread.set(
            try DedicatedThread("receive", urgency: .prompt) { [self] in
                if case .elementary(let media) = transport.encapsulation {
                    receive(into: ElementaryReceiver(media, into: history))
                } else {
                    receive(
                        into: FlowReceiver(
                            transport, bandwidthKbps: bandwidthKbps, program: chosenProgram.value, into: history))
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
        // It waits at the socket to which most came last; the kernel stamps what meanwhile comes to the others.
        var busiest = 0
        while !stopping.isRaised {
            sink.follow(program: chosenProgram.value)
            var (total, most) = (0, 0)
            let awaited = busiest
            for offset in media.indices {
                let index = (awaited + offset) % media.count
                let count = receive(from: media[index], &batch, waits: offset == 0, into: sink)
                total += count
                if count > most { (most, busiest) = (count, index) }
            }
            sink.tick(at: SystemClock.monotonic())
            var counted = sink.counters
            membership.count(into: &counted)
            counters.set(counted)
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
            count = try batch.receive(from: medium.membership.socket, waits: waits)
        } catch {
            // One that fails for good (its interface went) is silent; its membership acts on that. It need not
            // have waited, and this thread runs in front of others.
            SystemClock.sleep(until: SystemClock.monotonic() + Self.rest)
        }
        let membership = medium.membership
        for index in 0..<count where membership.selection?.admits(batch.sender(index)) ?? true {
            membership.heard(at: batch.arrival(index))
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
