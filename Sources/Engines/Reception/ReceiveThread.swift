// SPDX-License-Identifier: Apache-2.0
import Buffers
import Network
import RTP
import System
import Time
import Venue

/// The sockets of a joined channel and the thread that reads them into a sink.
final class ReceiveThread: Sendable {
    let counters = PublishedValue(ReceptionCounters())
    let quality = PublishedValue(StreamQuality())
    let membership: ChannelMembership
    private let media: [ReceivedMedium]
    private let longestRest: Nanoseconds
    private let chosenProgram: LatestValue<UInt16?>
    private let arrived: @Sendable () -> Void
    private let stopping = StopFlag()
    private let ended = StopFlag()
    private let thread = LatestValue<DedicatedThread?>(nil)

    /// Octets of the largest datagram kept: a jumbo frame's.
    private static let largestDatagram = 9_216
    private static let batch = 64
    /// Of any channel between two looks at its sockets.
    static let longestRest = Nanoseconds.milliseconds(40)

    /// Starts.
    /// - Parameters:
    ///   - arrived: called on the thread after each batch that brought something.
    ///   - body: called on the thread: makes a sink there and calls `receive`.
    init(
        _ media: [ReceivedMedium], program: UInt16? = nil, _ options: ChannelMembership.Options,
        longestRest: Nanoseconds = longestRest, arrived: @escaping @Sendable () -> Void,
        body: @escaping @Sendable (ReceiveThread) -> Void
    ) throws(SystemCallError) {
        self.media = media
        self.longestRest = longestRest
        self.arrived = arrived
        chosenProgram = LatestValue(program)
        membership = ChannelMembership(media.map(\.membership), options, at: SystemClock.monotonic())
        thread.set(
            try DedicatedThread("receive", urgency: .prompt) { [self] in
                body(self)
                ended.raise()
            })
    }

    /// Tells the thread to end and returns at once.
    func close() { stopping.raise() }

    /// The thread has ended: `stop` does not wait.
    var hasEnded: Bool { ended.isRaised }

    /// Ends the thread. The groups are left with the last reference to its sockets.
    func stop() {
        stopping.raise()
        thread.value?.join()
        thread.set(nil)
    }

    /// From the next datagrams on. Any thread.
    func follow(program: UInt16?) { chosenProgram.set(program) }

    /// Until `stop`.
    func receive(into sink: some DatagramSink) {
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
            if total > 0 { arrived() }
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
            let arrival = batch.arrival(index)
            membership.heard(at: arrival)
            guard !batch.isTruncated(index) else {
                sink.truncatedDatagramReceived(of: medium.index)
                continue
            }
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
