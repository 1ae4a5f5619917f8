// SPDX-License-Identifier: Apache-2.0
import Media
import TestSupport
import Testing
import Time
import Venue

@testable import Reception

/// Parity that nobody announced, through the whole receiving side of a channel.
struct ParitySearchTests {
    private static let encapsulations: [Transport.Encapsulation] = [.rtp(payloadType: 33), .automatic]

    private static func scene(columns: Int = 5, rows: Int = 10, count: Int = 3_000) -> ProtectedScene {
        var random = SplitMix64(seed: 7)
        var scene = ProtectedScene(nil, count: count, random: &random)
        scene.sendParity(columns: columns, rows: rows)
        return scene
    }

    private static func flow(_ encapsulation: Transport.Encapsulation = .automatic) -> FlowReceiver {
        let transport = Transport(address: "239.0.0.1", port: 5_004, encapsulation: encapsulation)
        return FlowReceiver(
            transport, findsParity: true, into: HistoryBuffer(span: .seconds(600), capacity: 16 << 20))
    }

    /// As the control loop does when it is told.
    private static func reinforce(_ flow: FlowReceiver, allowed: Nanoseconds = .seconds(5)) throws {
        var transport = Transport(address: "239.0.0.1", port: 5_004, encapsulation: .rtp(payloadType: 33))
        transport.repair = .parity(try #require(flow.found))
        let protection = try #require(FlowProtection(transport, bandwidthKbps: 0))
        flow.reinforce(by: FlowReinforcement(protection, allowed: allowed))
    }

    @Test(arguments: encapsulations) func whatIsFoundRepairsFromThenOn(encapsulation: Transport.Encapsulation) throws {
        let scene = Self.scene()
        let flow = Self.flow(encapsulation)
        var (random, dropped) = (SplitMix64(seed: 3), (before: Int64(0), after: Int64(0)))
        var isUsed = false
        for datagram in scene.datagrams {
            if !isUsed, let found = flow.found {
                #expect(found.isFound && found.columns?.port == 5_006 && found.rows?.port == 5_008)
                #expect(flow.counters.repairOrigin == 0 && flow.counters.repairDatagrams == 0)
                try Self.reinforce(flow)
                isUsed = true
            }
            if scene.isFair(datagram), datagram.index != nil, Double.random(in: 0..<1, using: &random) < 0.02 {
                if isUsed { dropped.after += 1 } else { dropped.before += 1 }
                continue
            }
            flow.tick(at: datagram.time)
            datagram.bytes.withUnsafeBytes { flow.datagramReceived($0, of: datagram.part, at: datagram.time) }
        }
        flow.tick(at: ProtectedScene.time(of: scene.packets.count) + .seconds(20))
        let counters = flow.counters
        #expect(isUsed && dropped.before > 5 && dropped.after > 20)
        #expect(counters.lostBeforeRepair == dropped.before + dropped.after)
        // Two in one row and one column are seldom; what is lost around the change stays lost.
        #expect(counters.lostPackets >= dropped.before && counters.lostPackets <= dropped.before + 4)
        #expect(counters.recoveredPackets == dropped.before + dropped.after - counters.lostPackets)
        #expect(counters.repairOrigin == 2 && counters.foreignRepair == 0 && flow.found == nil)
        #expect(counters.duplicatePackets == 0 && counters.latePackets == 0)
        #expect(counters.sequenceRestarts == 0 && counters.repairDatagrams > 0)
        #expect(counters.tsDiscontinuities == 0, "the packets of the scene are all of one kind")
    }

    /// What is behind a gap comes no later than playback can wait for it.
    @Test func aGapStaysOpenForAsLongAsIsAllowed() throws {
        let scene = Self.scene()
        let flow = Self.flow()
        var missing: Int?
        var last = Monotonic(nanoseconds: 0)
        for datagram in scene.datagrams {
            if flow.found != nil, missing == nil {
                try Self.reinforce(flow, allowed: .milliseconds(60))
                missing = datagram.index.map { $0 + 50 }
            }
            if let missing, let index = datagram.index, index >= missing, last.nanoseconds == 0 {
                if index > missing, flow.counters.lostPackets == 1 { last = datagram.time }
                if index == missing { continue }
            }
            guard datagram.part == .media || missing == nil else { continue }  // no parity any more
            flow.tick(at: datagram.time)
            datagram.bytes.withUnsafeBytes { flow.datagramReceived($0, of: datagram.part, at: datagram.time) }
        }
        let open = last - ProtectedScene.time(of: try #require(missing))
        #expect(open >= .milliseconds(60) && open <= .milliseconds(70), "\(open.milliseconds) ms")
    }

    /// Another channel's media on the next port.
    @Test func whatElseComesHarmsNothing() {
        let (scene, flow) = (Self.scene(count: 500), Self.flow())
        var random = SplitMix64(seed: 99)
        let stranger = ProtectedScene(nil, count: 500, random: &random)
        var media: Int64 = 0
        for datagram in scene.datagrams {
            guard let index = datagram.index else { continue }
            flow.tick(at: datagram.time)
            stranger.packets[index].withUnsafeBytes { flow.datagramReceived($0, of: .repair, at: datagram.time) }
            datagram.bytes.withUnsafeBytes { flow.datagramReceived($0, at: datagram.time) }
            media += 1
        }
        flow.truncatedDatagramReceived(of: .repair)
        flow.kernelDropsReported(total: 17, of: .repair)
        var counters = flow.counters
        #expect(flow.isForeign(.repair) && !flow.isForeign(.rows) && !flow.isForeign(.media))
        // The first one came before there was anything to compare it with.
        #expect(counters.foreignRepair == media - 1)
        counters.foreignRepair = 0
        let alone = Self.flow()
        for datagram in scene.datagrams where datagram.index != nil {
            alone.tick(at: datagram.time)
            datagram.bytes.withUnsafeBytes { alone.datagramReceived($0, at: datagram.time) }
        }
        #expect(counters == alone.counters)
    }

    /// A stream without RTP has no sequence numbers that parity could be of, and what comes to its ports decides nothing.
    @Test func aBareStreamHasNone() {
        let flow = Self.flow()
        let packet: [UInt8] = Array(repeating: [0x47, 0x1f, 0xff, 0x10] + [UInt8](repeating: 0, count: 184), count: 7)
            .flatMap { $0 }
        packet.withUnsafeBytes { flow.datagramReceived($0, of: .repair, at: ProtectedScene.time(of: 0)) }
        #expect(!flow.isForeign(.repair) && flow.counters.datagrams == 0)
        packet.withUnsafeBytes { flow.datagramReceived($0, at: ProtectedScene.time(of: 1)) }
        #expect(flow.isForeign(.repair) && flow.isForeign(.rows) && flow.counters.datagrams == 1)
    }

    @Test func whereItIsLookedFor() {
        func beside(_ transport: Transport) -> [UInt16] {
            guard let parity = transport.conventionalParity else { return [] }
            return [parity.columns, parity.rows].compactMap { $0?.port }
        }
        var transport = Transport(address: "239.0.0.1", port: 5_004, source: "10.0.0.2", encapsulation: .automatic)
        #expect(beside(transport) == [5_006, 5_008] && transport.conventionalParity?.rows?.source == "10.0.0.2")
        transport.port = 65_533
        #expect(beside(transport) == [65_535])
        transport.repair = .parity(RepairParity(columns: nil, rows: nil, span: .seconds(1)))
        #expect(beside(transport) == [])
        #expect(beside(Transport(address: "10.0.0.1", port: 5_004, encapsulation: .automatic)) == [])
        #expect(beside(Transport(address: "239.0.0.1", port: 5_004, encapsulation: .raw)) == [])
    }
}
