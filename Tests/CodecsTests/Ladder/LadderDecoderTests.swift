// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import TestSupport
import Testing
import Time

@testable import Codecs

/// Whatever a device does: each picture once, in order, no pause of a second, and its name for it.
@Suite struct LadderDecoderTests {
    private typealias Faults = FakeDecoder.Faults

    /// 40 pictures, a random-access point at each tenth, none refers to a later one.
    private let units: [(unit: AccessUnit, bytes: [UInt8])]
    private var all: [Int64] { units.map(\.unit.pts) }

    init() throws { units = Vector.accessUnits(try Vector.bytes("forward.h264")) }

    /// - Returns: the drive, its decoder gone.
    @discardableResult
    private func play(
        _ bench: FakeBench, _ choice: DecodingLadder.Choice = .auto, _ comment: Comment? = nil
    ) throws -> LadderDrive {
        let drive = LadderDrive(bench, choice)
        try drive.feed(units)
        try drive.finish()
        drive.end()
        #expect(drive.pictures == all, comment)
        #expect(drive.longestPause < .seconds(1), comment)
        #expect(drive.errors == 0, comment)
        #expect(bench.live.value == 0, comment)
        #expect(bench.opened.allSatisfy { $0.shutDowns == 1 || $0.calls == 0 }, comment)
        return drive
    }

    @Test func theVectorIsWhatItShouldBe() {
        #expect(units.count == 40)
        #expect(units.indices.filter { units[$0].unit.isRandomAccess } == [0, 10, 20, 30])
    }

    @Test func aDeviceDecodesAll() throws {
        let drive = try play(FakeBench([{ _ in Faults() }]))
        #expect(drive.ofDevices == 40)
        #expect(drive.bench.sizes == [.init(width: 160, height: 128)])
        #expect(drive.openings == [.init(tier: .device("/dev/fake0"), reason: nil, detail: nil)])
    }

    @Test func withoutADeviceTheProcessorDoes() throws {
        let drive = try play(FakeBench([]))
        #expect(drive.openings == [.init(tier: .software, reason: "hardware: no device", detail: nil)])
        let forbidden = try play(FakeBench([{ _ in Faults() }]), .software)
        #expect(forbidden.openings == [.init(tier: .software, reason: "hardware: forbidden", detail: nil)])
        #expect(forbidden.bench.openings.isEmpty)
    }

    /// Nobody is asked again for each unit.
    @Test func pinnedToDevicesNothingElseDecodes() throws {
        let drive = LadderDrive(FakeBench([{ _ in Faults(wedge: .decoding) }]), .hardware)
        try drive.feed(units)
        try drive.finish()
        #expect(drive.pictures.isEmpty)
        #expect(drive.bench.openings.count == 2)
        #expect(drive.openings.last?.tier == LadderDecoder.Tier.none)
        #expect(drive.openings.last?.reason == "hardware: wedged")
    }

    @Test(arguments: [DecoderPhase.awaitingHeader, .decoding, .changing, .draining])
    func wedges(phase: DecoderPhase) throws {
        let drive = try play(FakeBench([{ _ in Faults(wedge: phase, changesBehind: phase == .changing ? 15 : nil) }]))
        #expect(drive.openings.map(\.reason) == [nil, "hardware: wedged", "hardware: wedged"])
        #expect(drive.openings.last?.tier == .software)
    }

    /// What has been shown is not shown again, by the device that begins anew as by the processor.
    @Test(arguments: [1, 2, 9, 10, 11, 23, 39]) func wedgesInMidStream(pictures: Int) throws {
        let twice = try play(FakeBench([{ Faults(wedgesBehind: $0 == 0 ? pictures : 1) }]))
        #expect(twice.openings.map(\.tier) == [.device("/dev/fake0"), .device("/dev/fake0"), .software])
        let once = try play(FakeBench([{ $0 == 0 ? Faults(wedgesBehind: pictures) : Faults() }]))
        #expect(once.ofDevices == 40)
        #expect(once.openings.map(\.reason) == [nil, "hardware: wedged"])
    }

    /// To eat is to ask for more; it is no picture.
    @Test(arguments: [0, 3, 10]) func eatsAndGivesNothing(behind pictures: Int) throws {
        let drive = try play(FakeBench([{ Faults(eatsBehind: $0 == 0 ? pictures : 0) }]))
        #expect(drive.openings.map(\.reason) == [nil, "hardware: wedged", "hardware: wedged"])
        #expect(drive.openings.last?.tier == .software)
        let after = units.map { unit, bytes in
            let pts = unit.pts + 40 * 3_600
            return (
                unit: AccessUnit(pts: pts, dts: pts, isRandomAccess: unit.isRandomAccess, isDamaged: false),
                bytes: bytes
            )
        }
        // 24 may be held back at this size and level: they come one by one, and are of no use to a second attempt.
        for (pace, longest) in [(20, 1_000), (40, 1_400)] as [(Int64, Int64)] {
            let live = LadderDrive(FakeBench([{ Faults(eatsBehind: $0 == 0 ? pictures : 0) }]))
            live.pace = .milliseconds(pace)
            try live.feed(units + after)
            let due = all + after.map(\.unit.pts)
            #expect(live.ladder.tier == .software && live.pictures == Array(due.prefix(live.pictures.count)))
            #expect(live.longestPause < .milliseconds(longest))
        }
    }

    /// The next device comes before the processor; one that failed stays off.
    @Test func anotherDeviceGoesOn() throws {
        let drive = try play(FakeBench([{ _ in Faults(wedgesBehind: 15) }, { _ in Faults() }]))
        #expect(drive.bench.openings == ["/dev/fake0", "/dev/fake0", "/dev/fake1"])
        #expect(drive.ofDevices == 40)
        #expect(drive.openings.last?.reason == "hardware: wedged")
    }

    @Test(
        arguments: [
            (2, 12, "wedged"), (1, 11, "wedged"), (-3, 1, "nonsense"), (1_000_000, 1, "nonsense"),
        ]) func claimsAMinimum(claimed: Int, real: Int, reason: String) throws
    {
        let drive = try play(FakeBench([{ _ in Faults(claimedMinimum: claimed, minimum: real) }]))
        #expect(drive.openings.last?.tier == .software)
        #expect(drive.openings.last?.reason == "hardware: \(reason)")
    }

    @Test func changesForEver() throws {
        let drive = try play(FakeBench([{ _ in Faults(isRestless: true) }]))
        #expect(drive.openings.map(\.reason) == [nil, "hardware: restless"])
    }

    @Test func refusesTheFormat() throws {
        let unknown = try play(FakeBench([{ _ in Faults(native: FourCC("ST12"), offered: [FourCC("ST12")]) }]))
        #expect(unknown.openings.last?.reason == "hardware: unknown pictures")
        #expect(unknown.openings.last?.detail?.hasPrefix("/dev/fake0: ") == true)
    }

    @Test(arguments: [(ENOMEM, "out of memory"), (EIO, "failed"), (ENODEV, "gone"), (EINVAL, "failed")])
    func refusesEachCall(code: CInt, reason: String) throws {
        let calls = try play(FakeBench([{ _ in Faults(changesBehind: 15) }])).bench.calls
        #expect(calls > 100)
        for call in Effort.sample(1...calls, most: 90) {
            let faults = Faults(changesBehind: 15, refusal: (call, code))
            let drive = try play(FakeBench([{ _ in faults }]), .auto, "call \(call)")
            guard let last = drive.openings.last, last.reason != nil else { continue }
            #expect(last.reason == "hardware: \(reason)", "call \(call)")
            #expect(drive.bench.openings.count <= 2, "call \(call)")
            guard code == ENOMEM else { continue }
            let once = try play(FakeBench([{ $0 == 0 ? faults : Faults() }]))
            #expect(once.openings.last?.tier == .device("/dev/fake0"), "call \(call)")
        }
    }

    /// As often as a viewer may seek.
    @Test func beginsAnewBehindAFlush() throws {
        let bench = FakeBench([{ $0 == 0 ? Faults(wedgesBehind: 25) : Faults(wedgesBehind: 5) }])
        let drive = LadderDrive(bench)
        for round in 0..<8 {
            let before = drive.pictures.count
            try drive.feed(units[10..<20 + round])
            drive.ladder.flush()
            try drive.feed(units[20...])
            try drive.finish()
            #expect(Array(drive.pictures[before...].suffix(20)) == Array(all[20...]))
            drive.ladder.flush()
        }
        #expect(drive.ladder.tier == .software)
        drive.end()
        #expect(bench.live.value == 0)
    }

    @Test func anotherStreamTriesTheDeviceAgain() throws {
        let bench = FakeBench([{ $0 < 2 ? Faults(wedgesBehind: 3) : Faults() }])
        let drive = LadderDrive(bench)
        try drive.feed(units)
        #expect(drive.ladder.tier == .software)
        drive.ladder.begin(.h264)
        try drive.feed(units)
        #expect(drive.ladder.tier == .device("/dev/fake0"))
    }

    /// A stream that plays for days is not decoded by the processor because of two bad moments.
    @Test(arguments: [(20, 2), (29, 2), (40, 3)]) func aDeviceThatHasProvedItself(pictures: Int, attempts: Int) throws {
        let bench = FakeBench([{ Faults(wedgesBehind: $0 < 2 ? pictures : nil) }])
        let drive = LadderDrive(bench, .auto, of: .fwht)
        try drive.feed(
            (0..<200).map { number in
                let pts = Int64(number) * 2 * 90_000
                let unit = AccessUnit(pts: pts, dts: pts, isRandomAccess: true, isDamaged: false)
                return (unit, [FakeStream.picture, 1, 7])
            })
        #expect(bench.openings.count == attempts)
        #expect(drive.ladder.tier == (attempts == 2 ? .none : .device("/dev/fake0")))
    }

    /// Pictures may be kept longer than their device lives.
    @Test func picturesOutliveTheirDevice() throws {
        let bench = FakeBench([{ _ in Faults(wedgesBehind: 3) }])
        let drive = LadderDrive(bench)
        var kept: VideoFrame?
        for (unit, bytes) in units.prefix(3) {
            try bytes.withUnsafeBytes { try drive.ladder.send(unit, $0) }
            for _ in 0..<4 where kept == nil {
                try drive.ladder.wait(atMost: .milliseconds(10))
                kept = try drive.ladder.receive()
            }
        }
        try drive.feed(units.dropFirst(3))
        try drive.finish()
        #expect(drive.ladder.tier == .software)
        drive.end()
        #expect(bench.live.value == 1)
        guard let frame = kept.take() else {
            Issue.record("no picture")
            return
        }
        #expect(frame.planes.0.base.load(as: UInt8.self) == 1)
        _ = consume frame
        #expect(bench.live.value == 0)
    }
}
