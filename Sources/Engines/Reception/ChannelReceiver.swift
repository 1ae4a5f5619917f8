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
    private let kept: HistoryBuffer?
    /// Signalled after each batch that brought something.
    public let arrived = Wakeup()
    public let counters = LatestValue(ReceptionCounters())
    /// As of the last whole second.
    public let quality = LatestValue(StreamQuality())
    public let joined: Monotonic
    public let membership: ChannelMembership
    private let media: [ReceivedMedium]
    private let longestRest: Nanoseconds
    private let chosenProgram: LatestValue<UInt16?>
    private let stopping = StopFlag()
    private let thread = LatestValue<DedicatedThread?>(nil)

    /// Octets of the largest datagram kept: a jumbo frame's.
    private static let largestDatagram = 9_216
    private static let batch = 64
    private static let longestRest = Nanoseconds.milliseconds(20)

    public var history: HistoryBuffer {
        guard let kept else { preconditionFailure("a data channel has payloads, and no history") }
        return kept
    }

    /// Joins and starts to receive.
    /// - Parameters:
    ///   - interface: name; empty: by the route.
    ///   - bandwidthKbps: nominal; 0: not known.
    ///   - program: its number; nil for the first. Elementary streams are one program.
    ///   - delay: D: what has come is in the history after a tenth of it at the latest.
    ///   - limits: of what is still good.
    public init(
        _ transport: Transport, interface: String, bandwidthKbps: Int = 0, program: UInt16? = nil,
        delay: Nanoseconds = .zero, history: HistoryBuffer,
        membership options: ChannelMembership.Options = ChannelMembership.Options(),
        limits: MonitorLimits = MonitorLimits()
    ) throws(SystemCallError) {
        kept = history
        longestRest = min(delay / 10, Self.longestRest)
        chosenProgram = LatestValue(program)
        media = try ReceivedMedium.join(transport, interface: interface)
        joined = SystemClock.monotonic()
        membership = ChannelMembership(media.map(\.membership), options, at: joined)
        thread.set(
            try DedicatedThread("receive", urgency: .prompt) { [self] in
                if case .elementary(let media) = transport.encapsulation {
                    receive(into: ElementaryReceiver(media, into: history, limits: limits))
                } else {
                    receive(
                        into: FlowReceiver(
                            transport, bandwidthKbps: bandwidthKbps, program: chosenProgram.value, into: history,
                            limits: limits))
                }
            })
    }

    /// A data channel: what it receives goes into a queue. That nothing comes of it is no fault.
    init(_ channel: Channel, interface: String, into payloads: PayloadQueue) throws(SystemCallError) {
        guard case .rtp(let payloadType) = channel.transport.encapsulation else {
            preconditionFailure("a data channel without RTP")
        }
        kept = nil
        longestRest = Self.longestRest
        chosenProgram = LatestValue(nil)
        media = try ReceivedMedium.join(channel.transport, interface: interface, isExpected: false)
        joined = SystemClock.monotonic()
        membership = ChannelMembership(media.map(\.membership), ChannelMembership.Options(), at: joined)
        thread.set(
            try DedicatedThread("receive data") { [self] in
                receive(
                    into: PayloadSink(
                        channel.transport, payloadType: payloadType, bandwidthKbps: channel.bandwidthKbps,
                        into: payloads))
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
        // It waits at the socket to which most came last, if at all; the kernel stamps what meanwhile comes to the others.
        var busiest = 0
        while !stopping.isRaised {
            sink.follow(program: chosenProgram.value)
            var (total, most) = (0, 0)
            let awaited = busiest
            for offset in media.indices {
                let index = (awaited + offset) % media.count
                let count = receive(from: media[index], &batch, waits: rhythm.isIdle && offset == 0, into: sink)
                total += count
                if count > most { (most, busiest) = (count, index) }
            }
            sink.tick(at: SystemClock.monotonic())
            var counted = sink.counters
            membership.count(into: &counted)
            counters.set(counted)
            quality.set(sink.quality)
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
            count = try batch.receive(from: medium.membership.socket, waits: waits)
        } catch {
            // One that fails for good (its interface went) is silent; its membership acts on that. It need not
            // have waited, and this thread runs in front of others.
            SystemClock.sleep(until: SystemClock.monotonic() + ReceiveRhythm.shortest)
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
