// SPDX-License-Identifier: Apache-2.0
import DataMessages
import DataReception
import ErasureCoding
import TestSupport
import Testing
import Time
import Venue

@testable import Reception

/// Messages of 1 octet to 64 KiB in any order of sizes, through a network that loses packets, with repair: each is
/// delivered once and in order, by name and by channel (G-08).
struct DataRepairTests {
    private enum Observer: Hashable { case byName, byChannel }

    private final class Receiver {
        var bus = DataBus<Observer>()
        let queue = PayloadQueue {}
        let sink: PayloadSink
        let channel: Channel
        var heard: [Observer: [DataMessage]] = [:]

        init(_ repair: Repair) {
            var transport = Transport(
                address: "239.1.1.1", port: 5_000, encapsulation: .rtp(payloadType: DataSender.payloadType))
            transport.repair = repair
            channel = Channel(id: Channel.ID("s/1"), kind: .data, name: "Scores", transport: transport)
            sink = PayloadSink(
                transport, payloadType: DataSender.payloadType, bandwidthKbps: channel.bandwidthKbps, into: queue)
            _ = bus.add(.byName, to: .name("Scores"))
            _ = bus.add(.byChannel, to: .channel(channel.id))
            let entry = ListedChannel(
                id: channel.id, number: 1, name: "Scores", ownName: "Scores", groups: [], isFavourite: false,
                isHidden: false, content: .channel(channel))
            _ = bus.lineUpChanged([entry])
        }

        func received(_ bytes: UnsafeRawBufferPointer, of part: FlowPart, at now: Monotonic) {
            sink.datagramReceived(bytes, of: part.rawValue, at: now)
        }

        func tick(at now: Monotonic) {
            sink.tick(at: now)
            queue.take { payload, source, arrival in
                guard let delivery = bus.payloadReceived(payload, of: channel.id, source: source, at: arrival) else {
                    return
                }
                for observer in delivery.observers { heard[observer, default: []].append(delivery.message) }
            }
        }
    }

    /// The least and the greatest among many sizes of all magnitudes.
    private static func messages(_ count: Int, _ random: inout SplitMix64) -> [[UInt8]] {
        var sizes = [1, 65_536]
        while sizes.count < count {
            sizes.append(Int.random(in: 1...1 << Int.random(in: 0...16, using: &random), using: &random))
        }
        return sizes.shuffled(using: &random).map { size in
            let first = UInt8.random(in: 0...255, using: &random)
            return (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) ^ first }
        }
    }

    @Test(arguments: Effort.seeds(3)) func eachOnceInOrderByNameAndByChannel(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let windows = RepairWindows(
            endpoint: FlowEndpoint(address: "239.1.1.1", port: 5_002), sourcePackets: 60, repairPackets: 24,
            symbolOctets: 1_400, span: .milliseconds(400))
        let encoder = try #require(WindowEncoder(windows))
        let receiver = Receiver(.windows(windows))
        let sent = Self.messages(1_000, &random)
        var sender = DataSender(
            source: UInt32.random(in: 0 ... .max, using: &random),
            sequence: UInt16.random(in: 0 ... .max, using: &random))
        var now = Monotonic(nanoseconds: 5_000_000_000)
        var (sentPackets, lostPackets) = (0, 0)
        for message in sent {
            for packet in try sender.packets(of: message) {
                var lots = random
                // The first one comes: nobody can know of what was before it.
                var isLost: Bool {
                    sentPackets += 1
                    let isLost = sentPackets > 1 && Double.random(in: 0..<1, using: &lots) < 0.05
                    if isLost { lostPackets += 1 }
                    return isLost
                }
                packet.withUnsafeBytes { bytes in
                    _ = encoder.packetSent(bytes, at: now) { source in
                        if !isLost { receiver.received(source, of: .media, at: now) }
                    } repair: { repair in
                        if !isLost { receiver.received(repair, of: .repair, at: now) }
                    }
                }
                random = lots
                now += .milliseconds(2)
                receiver.tick(at: now)
            }
        }
        encoder.finish { receiver.received($0, of: .repair, at: now) }
        for _ in 0..<100 {
            now += .milliseconds(20)
            receiver.tick(at: now)
        }
        #expect(lostPackets > sentPackets / 30)
        for observer in [Observer.byName, .byChannel] {
            let heard = receiver.heard[observer] ?? []
            #expect(heard.map(\.sequence) == (0..<1_000).map { UInt32($0) })
            #expect(heard.map(\.octets) == sent)
        }
        let counters = try #require(receiver.bus.counters(of: receiver.channel.id))
        #expect(counters.messages == 1_000 && counters.octets == Int64(sent.reduce(0) { $0 + $1.count }))
        #expect(counters.lost == 0 && counters.incomplete == 0 && counters.duplicates == 0 && counters.malformed == 0)
        #expect(receiver.queue.overflows == 0)
    }
}
