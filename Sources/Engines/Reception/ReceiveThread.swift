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
    private let clock: StampingClock
    private let chosenProgram: LatestValue<ProgramChoice?>
    private let isSearching: Bool
    /// Protects the flow from the next packets on. It is set once, by any thread.
    let reinforcement = LatestValue<FlowReinforcement?>(nil)
    /// Parity that was found and is not used yet; nil if there is none.
    let found = LatestValue<RepairParity?>(nil)
    /// Two senders of the media at the same time; nil if there is one.
    let conflict = LatestValue<SenderConflict?>(nil)
    private let arrived: @Sendable () -> Void
    private let stopping = StopFlag()
    private let ended = StopFlag()
    private let thread = LatestValue<DedicatedThread?>(nil)

    /// Octets of the largest datagram that is kept: that of a jumbo frame.
    private static let largestDatagram = 9_216
    private static let batch = 64
    /// The longest rest of any channel between two reads of its sockets.
    static let longestRest = Nanoseconds.milliseconds(60)

    /// The least time between two publications of the counters while datagrams come.
    private static let publishing = Nanoseconds.milliseconds(5)

    /// In one of so many rounds, ports are looked at where parity may come. Most of them stay silent for ever, and the
    /// detector remembers more of the media than comes in so many batches.
    private static let seeking = 4

    /// Starts the thread.
    /// - Parameters:
    ///   - clock: the kernel's wall clock, by which datagrams are stamped.
    ///   - arrived: called on the thread after each batch in which a datagram arrived.
    ///   - hasEnded: called on the thread when `stop` no longer waits for it.
    ///   - body: called on the thread; it makes a sink there and calls `receive`.
    init(
        _ media: [ReceivedMedium], program: ProgramChoice? = nil, _ options: ChannelMembership.Options,
        longestRest: Nanoseconds = longestRest, clock: StampingClock = StampingClock(),
        arrived: @escaping @Sendable () -> Void,
        hasEnded: @escaping @Sendable () -> Void = {},
        body: @escaping @Sendable (ReceiveThread) -> Void
    ) throws(SystemCallError) {
        self.media = media
        self.longestRest = longestRest
        self.clock = clock
        isSearching = media.contains(where: \.isSought)
        self.arrived = arrived
        chosenProgram = LatestValue(program)
        membership = ChannelMembership(media.map(\.membership), options, at: SystemClock.monotonic())
        thread.set(
            try DedicatedThread("receive", urgency: .prompt) { [self] in
                body(self)
                ended.raise()
                hasEnded()
            })
    }

    /// Tells the thread to end and returns at once.
    func close() { stopping.raise() }

    /// Whether the thread has ended, so that `stop` does not wait.
    var hasEnded: Bool { ended.isRaised }

    /// Ends the thread and waits for it. The groups are left when the last reference to the sockets goes.
    func stop() {
        stopping.raise()
        thread.value?.join()
        thread.set(nil)
    }

    /// Takes effect with the next datagrams. Any thread.
    func follow(program: ProgramChoice?) { chosenProgram.set(program) }

    /// Reads the sockets into `sink` until `stop` or `close` is called.
    /// - Parameter playsOneSender: whether each path of the media has one sender, and what others send to it is refused.
    func receive(into sink: some DatagramSink, playsOneSender: Bool = false) {
        var senders = playsOneSender ? media.map { _ in SenderChoice() } : []
        var batch = DatagramBatch(slots: Self.batch, octets: Self.largestDatagram, clock: clock)
        var rhythm = ReceiveRhythm(longest: longestRest)
        // Only the socket that received most in the last round is waited at; the kernel stamps what the others receive
        // meanwhile.
        var busiest = 0
        var publishing = Monotonic(nanoseconds: .min)
        var round = 0
        while !stopping.isRaised {
            sink.follow(program: chosenProgram.value)
            if let new = reinforcement.value { sink.reinforce(by: new) }
            var (total, most) = (0, 0)
            if media[busiest].membership.isAbandoned { busiest = 0 }
            let awaited = busiest
            let seeks = round % Self.seeking == 0
            round &+= 1
            for offset in media.indices {
                let index = (awaited + offset) % media.count
                if media[index].membership.isAbandoned || !seeks && offset > 0 && media[index].isSought { continue }
                let waits = rhythm.isIdle && offset == 0
                let isChosen = playsOneSender && media[index].hasOneSender
                let count = receive(from: media[index], &batch, waits: waits, into: sink) { peer, bytes, arrival in
                    !isChosen || senders[index].admits(peer, bytes, at: arrival)
                }
                total += count
                if count > most { (most, busiest) = (count, index) }
            }
            let read = SystemClock.monotonic()
            sink.tick(at: read)
            look(for: sink)
            // A round that finds nothing publishes what those before it counted.
            if total == 0 || read >= publishing {
                publishing = read + Self.publishing
                publish(sink, senders)
            }
            if total > 0 { arrived() }
            let now = SystemClock.monotonic()
            let rest = rhythm.looked(most, of: Self.batch, at: now)
            if rest > .zero { SystemClock.sleep(until: now + rest) }
        }
        publish(sink, senders)
    }

    private func publish(_ sink: some DatagramSink, _ senders: [SenderChoice]) {
        var counted = sink.counters
        membership.count(into: &counted)
        var found: SenderConflict?
        for choice in senders {
            counted.foreignSSRC += choice.refused
            found = found ?? choice.conflict
        }
        if found != conflict.value { conflict.set(found) }
        counters.set(counted)
        quality.set(sink.quality)
    }

    /// Tells of parity that was found, and leaves the ports to which something else comes.
    private func look(for sink: some DatagramSink) {
        for medium in media where medium.isSought {
            if !medium.membership.isAbandoned, sink.isForeign(medium.index) { medium.membership.abandon() }
        }
        if isSearching, let parity = sink.found, found.value == nil { found.set(parity) }
    }

    private func receive(
        from medium: ReceivedMedium, _ batch: inout DatagramBatch, waits: Bool, into sink: some DatagramSink,
        admits: (DatagramPeer, UnsafeRawBufferPointer, Monotonic) -> Bool
    ) -> Int {
        var count = 0
        do throws(SystemCallError) {
            count = try batch.receive(from: medium.membership.socket, waits: waits)
        } catch {
            // A socket that fails for good (its interface went) counts as silent, and its membership acts on that. The
            // failed call may not have waited, and this thread has a high priority, so it sleeps here.
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
            let peer = batch.peer(index)
            batch.withBytes(index) { bytes in
                guard admits(peer, bytes, arrival) else { return }
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
