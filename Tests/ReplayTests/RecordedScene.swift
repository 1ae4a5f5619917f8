// SPDX-License-Identifier: Apache-2.0
import Bytes
import ErasureCoding
import Foundation
import Media
import RTP
import TestSupport
import Time
import Venue

@testable import Reception
@testable import Recording

/// A stream that ffmpeg made, sent over a bad network in simulated time, received and recorded.
struct RecordedScene {
    struct Datagram {
        var part: FlowPart
        var time: Monotonic
        var octets: [UInt8]
    }

    static let ffmpeg = "/usr/bin/ffmpeg"
    private static let span = Nanoseconds.seconds(20)

    var transport: Transport
    var findsParity = false
    private(set) var datagrams: [Datagram] = []
    private var packets: [(octets: [UInt8], time: Monotonic)] = []

    /// Pictures with B frames and sound, in packets of seven.
    static let stream: [UInt8] = {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("recorded-\(getpid()).ts").path
        let maker = Process()
        maker.executableURL = URL(fileURLWithPath: ffmpeg)
        maker.arguments =
            """
            -v error -nostdin -y -f lavfi -i testsrc2=size=640x360:rate=25 -f lavfi -i sine=440 -t 20 -c:v libx264 \
            -preset ultrafast -bf 2 -g 25 -b:v 2500k -maxrate 2500k -bufsize 1000k -nal-hrd cbr -c:a mp2
            """.split(separator: " ").map(String.init) + [path]
        try? maker.run()  // without it there is no stream, which the tests see
        maker.waitUntilExit()
        defer { try? FileManager.default.removeItem(atPath: path) }  // nobody reads it any more
        return (FileManager.default.contents(atPath: path) ?? Data()).map { $0 }
    }()

    init(_ repair: Repair? = nil, secondPath: SecondPath? = nil) {
        transport = Transport(address: "239.0.0.1", port: 5_004, encapsulation: .rtp(payloadType: 33))
        (transport.repair, transport.secondPath) = (repair, secondPath)
        let pieces = Self.stream.count / (7 * 188)
        for index in 0..<pieces {
            var writer = WireWriter()
            let time = Monotonic(nanoseconds: 5_000_000_000) + Self.span * Int64(index) / Int64(pieces)
            RTPHeader.write(
                payloadType: 33, sequence: UInt16(truncatingIfNeeded: 64_000 + index),
                timestamp: UInt32(truncatingIfNeeded: time.nanoseconds * 9 / 100_000), ssrc: 77, to: &writer)
            writer.write(contentsOf: Self.stream[index * 1_316..<(index + 1) * 1_316])
            packets.append((writer.bytes, time))
        }
    }

    mutating func send(_ part: FlowPart = .media, delayed delay: Nanoseconds = .zero) {
        datagrams += packets.map { Datagram(part: part, time: $0.time + delay, octets: $0.octets) }
    }

    mutating func sendWindows(_ windows: RepairWindows) {
        guard let encoder = WindowEncoder(windows, firstBlock: 0xff_fff0) else { return }
        for packet in packets {
            let time = packet.time
            encoder.tick(at: time) { datagrams.append(Datagram(part: .repair, time: time, octets: Array($0))) }
            _ = packet.octets.withUnsafeBytes { bytes in
                encoder.packetSent(bytes, at: time) {
                    datagrams.append(Datagram(part: .media, time: time, octets: Array($0)))
                } repair: {
                    datagrams.append(Datagram(part: .repair, time: time, octets: Array($0)))
                }
            }
        }
    }

    mutating func sendParity(columns: Int, rows: Int) {
        let encoder = ParityEncoder(columns: columns, rows: rows)
        for packet in packets {
            datagrams.append(Datagram(part: .media, time: packet.time, octets: packet.octets))
            _ = packet.octets.withUnsafeBytes { bytes in
                encoder.packetSent(bytes) { repair, flow in
                    datagrams.append(
                        Datagram(part: flow == .rows ? .rows : .repair, time: packet.time, octets: Array(repair)))
                }
            }
        }
    }

    /// Loses, doubles and delays what is sent.
    mutating func harm(_ random: inout SplitMix64, loss: Double = 0.02) {
        var arrived: [Datagram] = []
        for datagram in datagrams {
            guard Double.random(in: 0..<1, using: &random) >= loss else { continue }
            arrived.append(datagram)
            if Double.random(in: 0..<1, using: &random) < 0.01 { arrived[arrived.count - 1].time += .milliseconds(9) }
            if Double.random(in: 0..<1, using: &random) < 0.005 { arrived.append(datagram) }
        }
        datagrams = arrived.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }

    /// Receives as the receive thread does.
    /// - Parameter kept: octets of the ring.
    /// - Returns: what was recorded, as the bundle of an incident.
    func recorded(kept: Int, keepsPayload: Bool = false) -> (bundle: [UInt8], live: ReceptionCounters) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: OctetRing.octets(for: kept), alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        defer { memory.deallocate() }
        var description = FlowDescription(
            "Arena", transport, bandwidthKbps: 0, program: "", counters: ReceptionCounters.names,
            keepsPayload: keepsPayload)
        let ring = OctetRing(in: memory, of: nil, description: [])
        let isProtected = transport.repair != nil || transport.secondPath != nil
        let tap = PacketRing(ring, keepsPayload: keepsPayload, isProtected: isProtected)
        let flow = RecordedFlow(
            FlowReceiver(
                transport, findsParity: findsParity, into: HistoryBuffer(span: .seconds(1), capacity: 1 << 20)), tap)
        var tick = datagrams.first?.time ?? Monotonic(nanoseconds: 0)
        for datagram in datagrams {
            while tick < datagram.time {
                flow.tick(at: tick)
                tick += .milliseconds(10)
            }
            datagram.octets.withUnsafeBytes {
                flow.datagramReceived($0, of: datagram.part.rawValue, at: datagram.time)
            }
            if let parity = flow.found, description?.found == nil {
                var found = transport
                found.repair = .parity(parity)
                description?.found = found.repair
                description?.hold = .seconds(1)
                if let protection = FlowProtection(found, bandwidthKbps: 0) {
                    flow.reinforce(by: FlowReinforcement(protection, allowed: .seconds(1)))
                }
            }
        }
        flow.tick(at: tick + .seconds(2))
        var plan = BundlePlan(head: Array(#"{"kind":"command"}"#.utf8), settings: Array("{}".utf8))
        plan.flows = [.init(description: description?.json.octets() ?? [], packets: ring.image())]
        return (plan.octets(atMost: 32 << 20) ?? [], flow.counters)
    }
}
