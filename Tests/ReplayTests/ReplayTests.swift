// SPDX-License-Identifier: Apache-2.0
import Bytes
import Foundation
import Media
import RTP
import TestSupport
import Testing
import Time
import Venue

@testable import Reception
@testable import Recording
@testable import Replay

/// Rule 11 from recorder to replay: headers alone are recorded, and the same engines count the same (G-56).
@Suite(.enabled(if: Required.file(RecordedScene.ffmpeg))) struct ReplayTests {
    private func expectIdentical(_ scene: RecordedScene, ring: Int = 8 << 20, keepsPayload: Bool = false) throws {
        let (file, live) = scene.recorded(kept: ring, keepsPayload: keepsPayload)
        #expect(live.tsPackets > 20_000 && live.randomAccessPoints > 10 && live.pcrCount > 100)
        let bundle = try Bundle(parsing: file)
        #expect(bundle.cut == nil)
        let recorded = try #require(try bundle.flows().first)
        let replay = FlowReplay(recorded.flow, recorded.inputs)
        #expect(replay.differences == [])
        #expect(replay.rows.count == ReceptionCounters.names.count - ReceptionCounters.notReplayed.count)
        let span = try #require(replay.span)
        #expect(span > .seconds(ring > 4 << 20 ? 19 : 3))
        // What is compared is not nothing.
        #expect(replay.rows.first { $0.counter == "lostBeforeRepair" }?.recorded ?? 0 > 0)
        #expect(Replay(file, named: "x").code == 0)
    }

    /// What people can read is written to files; whatever else stands behind the program's name is refused.
    @Test func aBundleIsTakenApart() throws {
        var scene = RecordedScene()
        scene.send()
        let directory = FileManager.default.temporaryDirectory.appending(path: "replay-\(UUID())").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }  // the test has ended
        let path = directory + "/it.tli"
        #expect(FileManager.default.createFile(atPath: path, contents: Data(scene.recorded(kept: 1 << 20).bundle)))
        let result = Replay(arguments: ["--extract", directory + "/parts", path])
        #expect(result.code == 0, "\(result.text)")
        let names = try FileManager.default.contentsOfDirectory(atPath: directory + "/parts")
        #expect(names.contains("flow-0.json") && names.contains("head.json"), "\(names)")
        for words in [["--extract", path], ["--extract", "a", "b", "c"], [path, path], []] {
            #expect(Replay(arguments: words).code == 2)
        }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>) func aBareFlow(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var scene = RecordedScene()
        scene.send()
        scene.harm(&random)
        try expectIdentical(scene)
        try expectIdentical(scene, ring: 400 << 10)
        if seed == 1 { try expectIdentical(scene, ring: 16 << 20, keepsPayload: true) }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>) func windows(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let windows = RepairWindows(
            endpoint: FlowEndpoint(address: "239.0.0.2", port: 5_006), sourcePackets: 40, repairPackets: 6,
            depth: seed == 2 ? 3 : 1, span: .milliseconds(900))
        var scene = RecordedScene(.windows(windows))
        scene.sendWindows(windows)
        scene.harm(&random, loss: seed == 3 ? 0.1 : 0.03)
        try expectIdentical(scene)
        try expectIdentical(scene, ring: 450 << 10)
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>) func parity(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let parity = RepairParity(beside: "239.0.0.1", port: 5_004, span: .milliseconds(900))
        var scene = RecordedScene(.parity(parity))
        scene.sendParity(columns: 10, rows: 8)
        scene.harm(&random)
        try expectIdentical(scene)
        try expectIdentical(scene, ring: 450 << 10)
    }

    @Test func parityThatWasFound() throws {
        var random = SplitMix64(seed: 5)
        var scene = RecordedScene()
        scene.findsParity = true
        scene.sendParity(columns: 10, rows: 8)
        scene.harm(&random, loss: 0.01)
        try expectIdentical(scene)
        try expectIdentical(scene, ring: 450 << 10)
    }

    @Test func twoPaths() throws {
        var random = SplitMix64(seed: 6)
        let path = SecondPath(endpoint: FlowEndpoint(address: "239.0.1.1", port: 5_004))
        var scene = RecordedScene(nil, secondPath: path)
        scene.send()
        scene.send(.secondPath, delayed: .milliseconds(20))
        scene.harm(&random, loss: 0.1)
        try expectIdentical(scene)
        try expectIdentical(scene, ring: 900 << 10)
    }

    /// No picture and no sound are in the bundle unless the settings allow it: of 20 s at 2.8 Mbit/s it has a tenth.
    @Test func aBundleIsSmall() {
        var scene = RecordedScene()
        scene.send()
        #expect(scene.recorded(kept: 8 << 20).bundle.count < RecordedScene.stream.count / 10)
    }

    /// A replay that counts otherwise is told: the comparison can fail.
    @Test func whatIsMissingIsTold() throws {
        var random = SplitMix64(seed: 1)
        var scene = RecordedScene()
        scene.send()
        scene.harm(&random)
        let (file, _) = scene.recorded(kept: 8 << 20)
        var (flow, inputs) = try #require(try Bundle(parsing: file).flows().first)
        let place = try #require(inputs.dropLast(500).lastIndex { $0.kind == .datagram })
        inputs.remove(at: place)
        let replay = FlowReplay(flow, inputs)
        #expect(!replay.isIdentical && !replay.differences.isEmpty)
        flow.counters = []
        #expect(FlowReplay(flow, []).span == nil)
    }

    /// What a bundle says may be made up: counters that are as far apart as they can be are compared (`sync.md`).
    @Test func countersThatAreMadeUp() throws {
        var scene = RecordedScene()
        scene.send()
        let (file, _) = scene.recorded(kept: 8 << 20)
        let (flow, recorded) = try #require(try Bundle(parsing: file).flows().first)
        var inputs = recorded
        let places = inputs.indices.filter { inputs[$0].kind == .counters }
        for place in places {
            let count: Int64 = place == places.last ? .max : .min
            let octets = withUnsafeBytes(of: count) { Array($0) }
            inputs[place].octets = Array(repeatElement(octets, count: flow.counters.count).joined())
        }
        let replay = FlowReplay(flow, inputs)
        #expect(!replay.isFromJoin && replay.span != nil)
        #expect(replay.rows.count == ReceptionCounters.names.count - ReceptionCounters.notReplayed.count)
        // From the least to the greatest number is one less than nothing; what is no count is compared as it is.
        #expect(replay.rows.allSatisfy { $0.recorded == -1 || $0.recorded == .max })
        #expect(replay.rows.contains { $0.recorded == -1 })
    }

    /// Likewise times: of two packets with one sequence number the nearest to the parity is looked for.
    @Test func parityAtTimesThatAreMadeUp() {
        let parity = RepairParity(beside: "239.0.0.1", port: 5_004, span: .milliseconds(900))
        var scene = RecordedScene(.parity(parity))
        scene.sendParity(columns: 10, rows: 8)
        let inputs = scene.datagrams.prefix(400).map {
            RecordedInput(.datagram, part: $0.part.rawValue, at: $0.time, $0.octets)
        }
        var farApart = inputs
        for place in farApart.indices {
            farApart[place].time = Monotonic(nanoseconds: farApart[place].part == 0 ? .min : 0)
        }
        let expected = (inputs + inputs).remade(.parity(parity)).map(\.octets)
        #expect((farApart + farApart).remade(.parity(parity)).map(\.octets) == expected)
        #expect(expected != (inputs + inputs).map(\.octets), "no sum was made again")
    }

    /// Likewise the nearest window of a recovered packet, where two have its sequence number.
    @Test func windowsAtTimesThatAreMadeUp() {
        let windows = RepairWindows(
            endpoint: FlowEndpoint(address: "239.0.0.2", port: 5_006), sourcePackets: 2, repairPackets: 1, depth: 1,
            span: .milliseconds(900))
        var writer = WireWriter()
        RTPHeader.write(payloadType: 33, sequence: 7, timestamp: 0, ssrc: 77, to: &writer)
        let packet = writer.bytes
        // Behind a source packet: the block, the symbol's number and the number of symbols.
        let inputs = [
            RecordedInput(.datagram, at: Monotonic(nanoseconds: .min), packet + [0, 0, 1, 0, 0, 2]),
            RecordedInput(.datagram, at: Monotonic(nanoseconds: 1), packet + [0, 0, 2, 0, 0, 2]),
            RecordedInput(.recovered, at: Monotonic(nanoseconds: 0), packet),
        ]
        #expect(inputs.remade(.windows(windows)) == Array(inputs.dropLast()))
    }

    @Test func whatIsNoBundleIsRefusedInALine() {
        for (file, why) in [([], "octet 0"), (Array("TLINCID1\u{0}\u{9}\u{0}\u{0}".utf8), "version 9")] {
            let replay = Replay(file, named: "../../etc/passwd")
            #expect(replay.code == 2 && replay.text.contains(why))
            #expect(replay.text.split(separator: "\n").count == 1)
        }
    }
}
