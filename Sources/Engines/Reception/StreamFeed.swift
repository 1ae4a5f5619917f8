// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media
import Time
import Timelines
import TransportStream
import Venue

/// Takes a transport stream into the history: checks continuity, finds random-access points and follows the stream's
/// clock. Owned by one thread; allocates nothing once the program's tables have been seen.
///
/// It is a value so that exclusive access is checked once for each datagram at its owner. If its parts were classes,
/// each would be checked for each packet; that took a third of the work.
struct StreamFeed {
    private var counted = ReceptionCounters()
    /// The program that is followed; nil for the first program.
    private(set) var program: ProgramChoice?
    private let history: HistoryBuffer
    private var framer = TSFramer()
    private var copies = DatagramCopies()
    private var joiner = PacketJoiner()
    private var continuity = ContinuityTable()
    private var scanner: RandomAccessScanner
    private var timing = ProgramTiming()
    /// nil for a stream that the box multiplexes itself: it would tell nothing about the sender.
    private var monitor: StreamMonitor?

    init(program: ProgramChoice?, into history: HistoryBuffer, limits: MonitorLimits? = nil) {
        self.program = program
        self.history = history
        scanner = RandomAccessScanner(program: program)
        monitor = limits.map { StreamMonitor(limits: $0) }
    }

    /// Counts of the stream alone. Clock statistics are computed here, so ask once a batch, not for each datagram. It is
    /// mutating so that its owner does not copy the whole feed.
    mutating func counters() -> ReceptionCounters {
        var result = counted
        result.tsSkippedOctets = Int64(clamping: framer.skippedBytes &+ joiner.abandonedOctets)
        result.cutDatagrams = Int64(clamping: joiner.cutDatagrams)
        result.count(timing.clock.statistics)
        return result
    }

    /// Faults of the stream so far.
    var faults: IndicatorCounts { monitor?.counts ?? IndicatorCounts() }
    /// What has been missing for too long and still is.
    var overdue: StreamIndicator.Set { monitor?.overdue ?? [] }
    var isConstantRate: Bool { monitor?.isConstantRate ?? false }

    /// The greatest PCR error since the last call.
    mutating func takeWorstPCR() -> Nanoseconds { monitor?.takeWorstPCR() ?? .zero }

    /// Relates the stream's time stamps to our clock; nil before the clock is known.
    var correlation: StreamCorrelation? { timing.clock.correlation }

    /// What is known of the stream's tables stays.
    mutating func follow(program: ProgramChoice?) {
        guard program != self.program else { return }
        self.program = program
        scanner.choose(program: program, audioLanguage: nil)
        timing = ProgramTiming()
        monitor?.programChosen(scanner.ledger)
    }

    /// The next packets do not continue the stream.
    mutating func senderChanged() {
        joiner.abandon()
        continuity.reset()
        timing.packetsLost()
        monitor?.senderChanged()
    }

    /// To be called when everything that arrived before `now` has been stored.
    mutating func silent(until now: Monotonic) { monitor?.tick(at: now) }

    /// Whether a datagram without a sequence number came before.
    mutating func isRepeated(_ datagram: UnsafeRawBufferPointer) -> Bool {
        copies.isCopy(datagram, after: joiner, continuity)
    }

    /// - Parameter payload: TS packets as they came in one datagram, whose first and last may be cut.
    mutating func store(_ payload: UnsafeRawBufferPointer, at arrival: Monotonic, afterLoss: Bool) {
        monitor?.datagramReceived(at: arrival)
        if afterLoss {
            timing.packetsLost()
            monitor?.packetsLost()
        }
        if joiner.isIdle, payload.count % TSPacket.size == 0, payload.first == TSPacket.syncByte {
            return keep(payload, at: arrival, afterLoss: afterLoss)
        }
        var joining = PacketJoiner()  // without memory; what is called meanwhile may change all but this
        swap(&joining, &joiner)
        joining.join(payload, afterLoss: afterLoss) { keep($0, at: arrival, afterLoss: afterLoss) }
        swap(&joining, &joiner)
    }

    private mutating func keep(_ payload: UnsafeRawBufferPointer, at arrival: Monotonic, afterLoss: Bool) {
        var flags: HistoryBuffer.Flags = afterLoss ? .afterLoss : []
        var finder = framer
        var packets: Int64 = 0
        var end = 0
        let clock = (corrections: timing.clock.corrections, beginnings: timing.clock.beginnings)
        finder.forEachPacket(in: payload) { offset in
            packets += 1
            if offset != end, !TSFramer.isPadding(offset - end) {
                monitor?.packetsMissed(in: end..<offset, of: payload)
            }
            end = offset + TSPacket.size
            if inspect(payload, at: offset, arrival) { flags.insert(.randomAccess) }
        }
        framer = finder
        if end != payload.count, !TSFramer.isPadding(payload.count - end) {
            monitor?.packetsMissed(in: end..<payload.count, of: payload)
        }
        guard packets > 0 else {
            counted.malformedDatagrams += 1
            return
        }
        counted.tsPackets += packets
        if flags.contains(.randomAccess) { counted.randomAccessPoints += 1 }
        if timing.clock.beginnings != clock.beginnings {
            flags.insert(.clockBegan)
        } else if timing.clock.corrections != clock.corrections {
            flags.insert(.clockCorrected)
        }
        history.append(payload, arrival: arrival, flags: flags, offset: correlation?.offset)
    }

    /// - Returns: whether a random-access point of the video begins in this packet.
    private mutating func inspect(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ arrival: Monotonic) -> Bool {
        monitor?.packetFound()
        guard let packet = try? TSPacket(bytes, at: offset) else { return false }  // the demultiplexer counts it
        guard !packet.hasTransportError else {
            counted.tsTransportErrors += 1
            monitor?.damagedPacketReceived()
            return false
        }
        let counter = continuity.counter(of: packet.pid)
        switch continuity.check(packet, in: bytes) {
        case .inOrder: break
        case .duplicate:
            counted.tsDuplicates += 1
            return scanner.inspect(packet, in: bytes) != nil
        case .gap:
            counted.tsDiscontinuities += 1
            if let counter { counted.tsMissing += Int64(Continuity.missing(from: counter, to: packet)) }
            timing.packetsLost()
            monitor?.continuityBroken()
        case .signalledDiscontinuity: counted.tsSignalledDiscontinuities += 1
        }
        let isPoint = scanner.inspect(packet, in: bytes) != nil
        StreamFeed.tell(&timing, &monitor, of: packet, in: bytes, at: arrival, by: scanner)
        return isPoint
    }

    /// A static function, so that the scanner, which has read the packet, can be asked while the others change.
    private static func tell(
        _ timing: inout ProgramTiming, _ monitor: inout StreamMonitor?, of packet: TSPacket,
        in bytes: UnsafeRawBufferPointer, at arrival: Monotonic, by scanner: RandomAccessScanner
    ) {
        timing.packetReceived(packet, in: bytes, at: arrival) { scanner.program }
        monitor?.packetReceived(packet, in: bytes, at: arrival) { scanner.ledger }
    }
}
