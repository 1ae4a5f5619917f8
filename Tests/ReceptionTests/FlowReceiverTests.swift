// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media
import RTP
import TestSupport
import Testing
import Time
import TransportStream
import Venue

@testable import Reception

/// A sender of null packets in RTP, with a ledger.
private struct Sender {
    var sequence: UInt16 = 100
    var ssrc: UInt32 = 0xAABB_CCDD
    var payloadType: UInt8 = 33

    mutating func datagram() -> [UInt8] {
        var bytes: [UInt8] = [
            0x80, payloadType, UInt8(sequence >> 8), UInt8(sequence & 0xff), 0, 0, 0, 0,
            UInt8(ssrc >> 24), UInt8(ssrc >> 16 & 0xff), UInt8(ssrc >> 8 & 0xff), UInt8(ssrc & 0xff),
        ]
        sequence &+= 1
        for _ in 0..<7 { bytes += [0x47, 0x1f, 0xff, 0x10] + [UInt8](repeating: 0xff, count: 184) }
        return bytes
    }
}

private final class Bench {
    let history = HistoryBuffer(span: .seconds(30), capacity: 1 << 20)
    let flow: FlowReceiver
    var now = Monotonic(nanoseconds: 5_000_000_000)

    init(_ encapsulation: Transport.Encapsulation = .rtp(payloadType: 33)) {
        flow = FlowReceiver(encapsulation, into: history)
    }

    func receive(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { flow.datagramReceived($0, at: now) }
        now += .milliseconds(2)
    }
}

/// What an automatic channel may turn out to be.
private enum Framing: CaseIterable {
    case inRTP, ofAnotherPayloadType, bare, withParity, withStamps, withParityInRTP

    func datagram(_ sender: inout Sender) -> [UInt8] {
        sender.payloadType = self == .ofAnotherPayloadType ? 96 : 33
        let packet = sender.datagram()
        let stream = Array(packet.dropFirst(12))
        func each(_ body: ([UInt8]) -> [UInt8]) -> [UInt8] {
            stride(from: 0, to: stream.count, by: 188).flatMap { body(Array(stream[$0..<$0 + 188])) }
        }
        let parity = [UInt8](repeating: 9, count: 16)
        switch self {
        case .inRTP, .ofAnotherPayloadType: return packet
        case .bare: return stream
        case .withParity: return each { $0 + parity }
        case .withStamps: return each { [1, 2, 3, 4] + $0 }
        case .withParityInRTP: return packet.prefix(12) + each { $0 + parity }
        }
    }

    var payloadType: Int64 {
        switch self {
        case .inRTP, .withParityInRTP: 33
        case .ofAnotherPayloadType: 96
        case .bare, .withParity, .withStamps: -1
        }
    }
}

/// "auto" takes what the first datagrams are, whatever noise came before them.
@Test(arguments: Framing.allCases) fileprivate func anAutomaticChannel(framing: Framing) {
    let bench = Bench(.automatic)
    bench.receive([1, 2, 3])
    bench.receive([0x80, 97, 0, 1] + [UInt8](repeating: 0, count: 60))
    var sender = Sender()
    for _ in 0..<10 { bench.receive(framing.datagram(&sender)) }
    let counters = bench.flow.counters
    #expect(counters.tsPackets == 70 && counters.payloadType == framing.payloadType)
    #expect(counters.malformedDatagrams + counters.wrongPayloadType == 2)
    #expect(counters.tsSkippedOctets == 0 && counters.lostPackets == 0)
}

/// A sender that was replaced sends the other form: nobody has to tune again.
@Test(arguments: [(Framing.inRTP, Framing.bare), (.bare, .inRTP), (.withStamps, .inRTP), (.inRTP, .withParity)])
fileprivate func anAutomaticChannelFollowsAnotherForm(before: Framing, after: Framing) {
    let bench = Bench(.automatic)
    var sender = Sender()
    for _ in 0..<10 { bench.receive(before.datagram(&sender)) }
    for _ in 0..<40 { bench.receive(after.datagram(&sender)) }
    for _ in 0..<10 { bench.receive(before.datagram(&sender)) }  // fewer than it takes
    let counters = bench.flow.counters
    #expect(counters.tsPackets >= 70 + 7 * (40 - Int64(FramingChoice.patience)))
    #expect(counters.payloadType == after.payloadType && counters.lostPackets == 0)
}

/// The other form may be one whose datagrams begin within a packet, and there look like RTP.
@Test(arguments: [1_472, 1_400]) func anAutomaticChannelFollowsCutPackets(size: Int) {
    let bench = Bench(.automatic)
    var sender = Sender()
    for _ in 0..<10 { bench.receive(sender.datagram()) }
    let packets = (0..<400).map { [0x47, 0x1F, 0xFF, 0x10 | UInt8($0 & 15)] + [UInt8](repeating: 0x80, count: 184) }
    for piece in pieces(of: packets.flatMap { $0 }, sizes: [size]) { bench.receive(piece) }
    let counters = bench.flow.counters
    #expect(counters.payloadType == -1 && counters.lostPackets == 0)
    #expect(counters.tsPackets >= 70 + 400 - 8 * 2 * Int64(FramingChoice.patience))
    // And back, as well to packets that are cut in RTP.
    for _ in 0..<20 { bench.receive(sender.datagram()) }
    #expect(bench.flow.counters.payloadType == 33)
    for piece in pieces(of: packets.flatMap { $0 }, sizes: [size]) { bench.receive(piece) }
    #expect(bench.flow.counters.payloadType == -1)
    for piece in pieces(of: packets.flatMap { $0 }, sizes: [size]) {
        bench.receive(sender.datagram().prefix(12) + piece)
    }
    #expect(bench.flow.counters.payloadType == 33)
}

/// A sender that cuts its packets where datagrams end, as ffmpeg does unless it is told a size.
@Test(arguments: [1_472, 1_400, 700]) func joinsPacketsThatAreCut(size: Int) {
    let bench = Bench(.automatic)
    let stream = MadeStream(seconds: 2).packets.flatMap(\.bytes)
    for start in stride(from: 0, to: stream.count, by: size) {
        bench.receive(Array(stream[start..<min(stream.count, start + size)]))
    }
    let counters = bench.flow.counters
    #expect(counters.tsPackets == Int64(stream.count / 188) && counters.tsSkippedOctets == 0)
    #expect(counters.tsDiscontinuities == 0 && counters.malformedDatagrams == 0 && counters.payloadType == -1)
}

/// The same in RTP, of whichever payload type.
@Test(arguments: [33, 96] as [UInt8]) func joinsPacketsThatAreCutInRTP(payloadType: UInt8) {
    let bench = Bench(.automatic)
    let stream = MadeStream(seconds: 2).packets.flatMap(\.bytes)
    var sender = Sender(payloadType: payloadType)
    for piece in pieces(of: stream, sizes: [1_460]) { bench.receive(sender.datagram().prefix(12) + piece) }
    let counters = bench.flow.counters
    #expect(counters.tsPackets == Int64(stream.count / 188) && counters.tsSkippedOctets == 0)
    #expect(counters.tsDiscontinuities == 0 && counters.wrongPayloadType == 0 && counters.lostPackets == 0)
    #expect(counters.payloadType == Int64(payloadType))
}

/// Cut where sizes, in turns, say.
private func pieces(of stream: [UInt8], sizes: [Int]) -> [[UInt8]] {
    var (rest, pieces) = (stream[...], [[UInt8]]())
    while !rest.isEmpty {
        pieces.append(Array(rest.prefix(sizes[pieces.count % sizes.count])))
        rest = rest.dropFirst(sizes[(pieces.count - 1) % sizes.count])
    }
    return pieces
}

/// Each datagram of a bare stream twice, at once or a few later (sacnview #179, tsduck #1215): one of each counts, also
/// where datagrams cut packets.
@Test(arguments: [0, 1, 5, 30], [[1_316], [1_472], [700], [1_472, 400], [1_316 + 94, 1_316]])
func leavesOutADatagramThatCameBefore(distance: Int, sizes: [Int]) {
    let bench = Bench(.raw)
    let stream = MadeStream(seconds: 2).packets.flatMap(\.bytes)
    let datagrams = pieces(of: stream, sizes: sizes)
    for index in 0..<datagrams.count + distance {
        if index < datagrams.count { bench.receive(datagrams[index]) }
        if index >= distance { bench.receive(datagrams[index - distance]) }
    }
    let counters = bench.flow.counters
    #expect(counters.tsPackets == Int64(stream.count / 188) && counters.tsDiscontinuities == 0)
    #expect(counters.duplicatePackets == Int64(datagrams.count))
}

/// Filler at a constant rate, or silence: each sixteenth datagram is like one before it, and none is left out.
@Test(arguments: [(0xFF, 7, 1), (0x55, 7, 1), (0x55, 1, 1), (0x55, 6, 2), (0x55, 7, 3)] as [(UInt8, Int, Int)])
func keepsDatagramsThatAreAlike(octet: UInt8, size: Int, pids: Int) {
    let bench = Bench(.raw)
    for start in stride(from: 0, to: 64 * size, by: size) {
        var packets: [UInt8] = []
        for number in start..<start + size {
            let counter = UInt8(number / pids & 0xF)
            packets += MadeStream.head(0x100 + UInt16(number % pids), 0x10 | counter)
            packets += [UInt8](repeating: octet, count: 184)
        }
        bench.receive(packets)
    }
    #expect(bench.flow.counters.tsPackets == Int64(64 * size) && bench.flow.counters.duplicatePackets == 0)
}

/// Without sequence numbers the packets of a second path cannot be told from those of the first.
@Test func aBareStreamHasOnePath() {
    let bench = Bench(.automatic)
    var sender = Sender()
    for _ in 0..<5 {
        let bytes = Framing.bare.datagram(&sender)
        bench.receive(bytes)
        bytes.withUnsafeBytes { bench.flow.datagramReceived($0, of: .secondPath, at: bench.now) }
    }
    #expect(bench.flow.counters.tsPackets == 35)
}

/// The payload type belongs to the sender: another sender brings its own, once the first is silent.
@Test func anAutomaticChannelChangesItsPayloadType() {
    let bench = Bench(.automatic)
    var (first, second) = (Sender(payloadType: 96), Sender(ssrc: 5, payloadType: 33))
    bench.receive(first.datagram())
    bench.receive(second.datagram())
    #expect(bench.flow.counters.wrongPayloadType == 1 && bench.flow.counters.payloadType == 96)
    bench.now += .milliseconds(500)
    bench.receive(second.datagram())
    #expect(bench.flow.counters.payloadType == 33 && bench.flow.counters.ssrcChanges == 1)
}

@Test func countsEachFaultUnderItsName() {
    let bench = Bench()
    var sender = Sender()
    for _ in 0..<10 { bench.receive(sender.datagram()) }
    bench.receive([1, 2, 3])
    var wrongType = Sender(payloadType: 96)
    bench.receive(wrongType.datagram())
    var foreign = Sender(ssrc: 7)
    bench.receive(foreign.datagram())
    bench.receive(Array(sender.datagram().prefix(12)) + [0x00, 0x01])
    bench.receive(sender.datagram())
    bench.flow.truncatedDatagramReceived()
    bench.flow.kernelDropsReported(total: 3)
    bench.flow.kernelDropsReported(total: 5)
    let counters = bench.flow.counters
    #expect(counters.datagrams == 16)
    #expect(counters.malformedDatagrams == 2)
    #expect(counters.wrongPayloadType == 1)
    #expect(counters.foreignSSRC == 1)
    #expect(counters.truncatedDatagrams == 1)
    #expect(counters.kernelDrops == 5)
    #expect(counters.tsPackets == 77)
    #expect(counters.lostPackets == 0)
}

@Test func takesAnotherSenderWhenTheFirstIsSilent() {
    let bench = Bench()
    var first = Sender()
    for _ in 0..<3 { bench.receive(first.datagram()) }
    var second = Sender(sequence: 9, ssrc: 2)
    bench.receive(second.datagram())
    bench.now += .milliseconds(500)
    for _ in 0..<3 { bench.receive(second.datagram()) }
    #expect(bench.flow.counters.ssrcChanges == 1)
    #expect(bench.flow.counters.foreignSSRC == 1)
    #expect(bench.flow.counters.tsPackets == 6 * 7)
}

/// A channel that was kept brings its counts along; those of a session begin with it.
@Test func someCountsAreOfTheSession() {
    var before = ReceptionCounters()
    (before.tsDiscontinuities, before.windowsFailed, before.datagrams) = (3, 2, 100)
    var now = before
    (now.tsDiscontinuities, now.windowsFailed, now.datagrams) = (4, 2, 150)
    let counted = now.since(before)
    #expect(counted.tsDiscontinuities == 1 && counted.windowsFailed == 0 && counted.datagrams == 150)
}

@Test func lossEqualsTheLedger() {
    let bench = Bench()
    var sender = Sender()
    var random = SplitMix64(seed: 11)
    var dropped: Int64 = 0
    for index in 0..<5_000 {
        let datagram = sender.datagram()
        if index > 0, index < 4_999, Int.random(in: 0..<10, using: &random) == 0 {
            dropped += 1
        } else {
            bench.receive(datagram)
        }
    }
    bench.now += .seconds(1)
    bench.flow.tick(at: bench.now)
    #expect(bench.flow.counters.lostPackets == dropped)
}

/// Rule 11 of the design: the same log gives the same counters and the same history.
@Test(arguments: 1...20 as ClosedRange<UInt64>) func replaysALogAlike(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var mutation = Mutation(seed: seed)
    var log = WireWriter()
    var sender = Sender()
    var now = Monotonic(nanoseconds: 0)
    for _ in 0..<400 {
        now += .microseconds(Int64.random(in: 10...5_000, using: &random))
        switch Int.random(in: 0..<20, using: &random) {
        case 0: [].withUnsafeBytes { InputLog.write(.tick, at: now, payload: $0, to: &log) }
        case 1:
            withUnsafeBytes(of: UInt32(3).bigEndian) { InputLog.write(.kernelDrops, at: now, payload: $0, to: &log) }
        case 2: _ = sender.datagram()
        case 3, 4:
            mutation.damage(sender.datagram()).withUnsafeBytes {
                InputLog.write(.datagram, at: now, address: "127.0.0.1", port: 5_000, payload: $0, to: &log)
            }
        default:
            sender.datagram().withUnsafeBytes {
                InputLog.write(.datagram, at: now, address: "127.0.0.1", port: 5_000, payload: $0, to: &log)
            }
        }
    }
    let first = try replayed(log.bytes)
    let second = try replayed(log.bytes)
    #expect(first == second)
    #expect(first.datagrams > 200)
}
