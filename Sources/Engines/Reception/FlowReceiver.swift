// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media
import RTP
import Time
import Timelines
import TransportStream
import Venue

/// One tuned channel from datagrams to history: who may send, order, continuity, random-access points, and the clock of
/// its stream.
///
/// Sans I/O: datagrams, kernel drops and ticks are its only input (rule 11), so a replayed log gives equal counters.
/// Owned by one thread. Allocates nothing once the program's tables have been seen.
public final class FlowReceiver {
    /// How long an early packet waits for the ones before it. Above the reordering of switches and access points,
    /// below anything that a viewer sees.
    private static let reorderHold = Nanoseconds.milliseconds(25)
    /// A second sender takes over when the first has been silent for this long.
    private static let senderSilence = Nanoseconds.milliseconds(400)

    public private(set) var counters = ReceptionCounters()
    private let encapsulation: Transport.Encapsulation
    private let history: HistoryBuffer
    private var window = ReorderWindow(hold: reorderHold)
    private var sender: (ssrc: UInt32, lastHeard: Monotonic)?
    private var framer = TSFramer()
    private var continuity = ContinuityTable()
    private var scanner: RandomAccessScanner
    private var timing = ProgramTiming()
    private var kernelDropsBefore: UInt32?
    /// Number of the program that is followed; nil for the first.
    public private(set) var program: UInt16?

    /// - Parameter program: its number; nil for the first.
    public init(_ encapsulation: Transport.Encapsulation, program: UInt16? = nil, into history: HistoryBuffer) {
        self.encapsulation = encapsulation
        self.program = program
        self.history = history
        scanner = RandomAccessScanner(program: program)
    }

    /// Between the stream's time stamps and our clock; nil before the clock is known.
    public var correlation: StreamCorrelation? { timing.clock.correlation }

    /// Follows another program: its random-access points and its clock. The history stays: all programs are in it.
    public func follow(program: UInt16?) {
        guard program != self.program else { return }
        self.program = program
        scanner = RandomAccessScanner(program: program)
        timing = ProgramTiming()
        counters.count(timing.clock.statistics)
    }

    public func datagramReceived(_ bytes: UnsafeRawBufferPointer, at arrival: Monotonic) {
        counters.datagrams += 1
        counters.octets += Int64(bytes.count)
        switch encapsulation {
        case .raw: store(bytes, at: arrival, afterLoss: false)
        case .rtp(let payloadType): packetReceived(bytes, at: arrival, payloadType: payloadType)
        }
    }

    /// A datagram longer than any slot: nothing of it can be trusted.
    public func truncatedDatagramReceived() {
        counters.datagrams += 1
        counters.truncatedDatagrams += 1
    }

    /// - Parameter total: the socket's own count, which wraps.
    public func kernelDropsReported(total: UInt32) {
        counters.kernelDrops += Int64(total &- (kernelDropsBefore ?? 0))
        kernelDropsBefore = total
    }

    /// Time passed without a datagram, or a batch ended.
    public func tick(at now: Monotonic) {
        guard case .rtp = encapsulation else { return }
        window.expire(at: now) { payload, arrival, afterLoss in
            store(payload, at: arrival, afterLoss: afterLoss)
        }
        counters.lostPackets = window.lost
    }

    private func packetReceived(_ bytes: UnsafeRawBufferPointer, at arrival: Monotonic, payloadType: UInt8) {
        let header: RTPHeader
        do throws(WireError) {
            header = try RTPHeader(bytes)
        } catch {
            counters.malformedDatagrams += 1
            return
        }
        guard header.payloadType == payloadType else {
            counters.wrongPayloadType += 1
            return
        }
        guard accepts(header.ssrc, at: arrival) else {
            counters.foreignSSRC += 1
            return
        }
        tick(at: arrival)
        let payload = UnsafeRawBufferPointer(rebasing: bytes[header.payload])
        let verdict = window.push(payload, sequence: header.sequence, at: arrival) { payload, arrival, afterLoss in
            store(payload, at: arrival, afterLoss: afterLoss)
        }
        switch verdict {
        case .inOrder, .suspect: break
        case .early: counters.reorderedPackets += 1
        case .duplicate: counters.duplicatePackets += 1
        case .late: counters.latePackets += 1
        case .restart: counters.sequenceRestarts += 1
        }
        counters.lostPackets = window.lost
    }

    /// The first sender is heard until it falls silent; then whoever sends takes its place.
    private func accepts(_ ssrc: UInt32, at arrival: Monotonic) -> Bool {
        if let current = sender, current.ssrc != ssrc {
            guard arrival - current.lastHeard >= Self.senderSilence else { return false }
            counters.ssrcChanges += 1
            window.flush { payload, arrival, afterLoss in store(payload, at: arrival, afterLoss: afterLoss) }
            continuity.reset()
            timing.packetsLost()
        }
        sender = (ssrc, arrival)
        return true
    }

    private func store(_ payload: UnsafeRawBufferPointer, at arrival: Monotonic, afterLoss: Bool) {
        var flags: HistoryBuffer.Flags = afterLoss ? .afterLoss : []
        if afterLoss { timing.packetsLost() }
        var finder = framer
        var packets: Int64 = 0
        finder.forEachPacket(in: payload) { offset in
            packets += 1
            if inspect(payload, at: offset, arrival) { flags.insert(.randomAccess) }
        }
        framer = finder
        counters.tsSkippedOctets = Int64(clamping: finder.skippedBytes)
        guard packets > 0 else {
            counters.malformedDatagrams += 1
            return
        }
        counters.tsPackets += packets
        if flags.contains(.randomAccess) { counters.randomAccessPoints += 1 }
        counters.count(timing.clock.statistics)
        history.append(payload, arrival: arrival, flags: flags, offset: correlation?.offset)
    }

    /// - Returns: whether a random-access point of the video begins in this packet.
    private func inspect(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ arrival: Monotonic) -> Bool {
        guard let packet = try? TSPacket(bytes, at: offset) else { return false }  // the demultiplexer counts it
        guard !packet.hasTransportError else {
            counters.tsTransportErrors += 1
            return false
        }
        switch continuity.check(packet, in: bytes) {
        case .inOrder: break
        case .duplicate:
            counters.tsDuplicates += 1
            return scanner.inspect(packet, in: bytes) != nil
        case .gap:
            counters.tsDiscontinuities += 1
            timing.packetsLost()
        case .signalledDiscontinuity: counters.tsSignalledDiscontinuities += 1
        }
        let isPoint = scanner.inspect(packet, in: bytes) != nil
        timing.packetReceived(packet, in: bytes, at: arrival) { scanner.program }
        return isPoint
    }
}
