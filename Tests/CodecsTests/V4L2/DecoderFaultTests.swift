// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import TestSupport
import Testing
import Time

@testable import Codecs

/// What devices do wrong ends in a named fault, within a bounded time, and leaves nothing behind.
@Suite struct DecoderFaultTests {
    private static let stream =
        FakeStream.pictures(1...8) + FakeStream.pictures(9...16, size: 2) + FakeStream.pictures(17...20)

    private struct Outcome {
        let fault: DecoderFault?
        let seen: Int
        let counts: DecoderCounts
        let took: Nanoseconds
        let live: Int
        let calls: Int
    }

    /// - Parameter most: of the device's time.
    private func outcome(
        _ faults: FakeDecoder.Faults, spare: Int = 4, _ stream: [[UInt8]] = stream
    ) throws -> Outcome {
        let device = FakeDecoder(faults)
        let began = device.now
        var answer: (fault: DecoderFault?, seen: Int, counts: DecoderCounts) = (nil, 0, DecoderCounts())
        do {
            let drive = try DecoderDrive(device, sparePictures: spare)
            answer = (try drive.run(stream), drive.seen.count, drive.decoder.counts)
        } catch let fault as DecoderFault {
            answer.fault = fault
        }
        #expect(device.shutDowns == 1 || device.calls == 0)
        return Outcome(
            fault: answer.fault, seen: answer.seen, counts: answer.counts, took: device.now - began,
            live: device.live.value, calls: device.calls)
    }

    @Test(arguments: [DecoderPhase.awaitingHeader, .decoding, .changing, .draining])
    func wedges(phase: DecoderPhase) throws {
        let end = try outcome(.init(wedge: phase))
        #expect(end.fault == .wedged(phase))
        #expect(end.took < .seconds(1))
        #expect(end.live == 0)
    }

    @Test(
        arguments: [
            (nil, 1, nil), (0, 1, nil), (1, 1, nil), (2, 5, nil), (2, 7, .wedged(.decoding)),
            (1, 6, .wedged(.decoding)),
            (-3, 1, .nonsense("at least -3 buffers")), (1_000_000, 1, .nonsense("at least 1000000 buffers")),
            (32, 1, nil),
        ] as [(Int?, Int, DecoderFault?)])
    func claimsAMinimum(claimed: Int?, real: Int, fault: DecoderFault?) throws {
        let end = try outcome(.init(claimedMinimum: claimed, minimum: real))
        #expect(end.fault == fault)
        #expect(fault != nil || end.seen == 20)
        #expect(end.live == 0)
    }

    @Test func changesForEver() throws {
        let end = try outcome(.init(isRestless: true))
        #expect(end.fault == .restless(changes: DecoderMachine.mostChanges))
        #expect(end.took < .seconds(1))
        #expect(end.live == 0)
    }

    /// All that it says is that it wants more; or that this was all.
    @Test(arguments: [0, 1, 5, 17]) func eatsAndGivesNothing(behind pictures: Int) throws {
        let end = try outcome(.init(eatsBehind: pictures), FakeStream.pictures(1...60))
        #expect(end.fault?.reason == "wedged" && end.seen == pictures)
        #expect(end.took < .seconds(1))
        #expect(end.live == 0)
        let tail = try outcome(.init(eatsBehind: pictures), FakeStream.pictures(1...UInt8(pictures + 18)))
        #expect(tail.fault?.reason == "wedged")
    }

    /// Who makes nothing of what is damaged, or keeps as many as a stream may, is not to blame; nor is who waits.
    @Test func eatsWithReason() throws {
        let noise = Array(repeating: [FakeStream.noise], count: 16)
        let end = try outcome(.init(), FakeStream.pictures(1...2) + noise + FakeStream.pictures(3...4) + noise)
        #expect(end.fault == nil && end.seen == 4)
        let device = FakeDecoder()
        let drive = try DecoderDrive(device)
        drive.isDamaged = true
        #expect(try drive.run(noise + noise + noise) == nil)
        drive.isDamaged = false
        try drive.feed(FakeStream.pictures(1...1) + noise.dropLast())
        for _ in 0..<100 { try drive.decoder.advance(atMost: .milliseconds(20)) }
        #expect(try drive.run(FakeStream.pictures(2...2)) == nil)
        #expect(drive.seen.map(\.value) == [1, 2])
    }

    @Test func endsForNothing() throws {
        let end = try outcome(.init(endsForNothing: true))
        #expect(end.fault == nil)
        #expect(end.counts.restarts > 10)
        #expect(end.live == 0)
    }

    @Test(arguments: [ENOMEM, EIO, ENODEV, EINVAL]) func refusesEachCall(code: CInt) throws {
        let calls = try outcome(.init()).calls
        #expect(calls > 100)
        var ends: Set<String> = []
        for call in stride(from: 1, through: calls, by: Effort.isEmulated ? 7 : 1) {
            let end = try outcome(.init(refusal: (call, code)))
            ends.insert(end.fault?.reason ?? "none")
            #expect(end.fault != nil || end.seen == 20, "call \(call)")
            #expect(end.took < .seconds(2), "call \(call)")
            #expect(end.live == 0, "call \(call)")
        }
        let expected: [CInt: Set<String>] = [
            ENOMEM: ["none", "out of memory"], EIO: ["failed"], ENODEV: ["gone"], EINVAL: ["failed"],
        ]
        #expect(ends == expected[code])
    }

    /// Where memory is short it does with fewer buffers, down to those without which it cannot.
    @Test(arguments: 1...8) func hasMemoryForFew(buffers: Int) throws {
        var faults = FakeDecoder.Faults(claimedMinimum: 3)
        faults.made = { min($0, buffers) }
        let end = try outcome(faults)
        #expect(end.fault == (buffers < 3 ? .outOfMemory : nil))
        #expect(end.seen == (buffers < 3 ? 0 : 20))
    }

    @Test(arguments: [0, 1_000]) func makesAnAbsurdNumber(of buffers: Int) throws {
        var faults = FakeDecoder.Faults()
        faults.made = { _ in buffers }
        #expect(try outcome(faults).fault == .nonsense("\(buffers) coded buffers"))
    }

    @Test func formats() throws {
        #expect(try outcome(.init(native: FourCC("ST12"), offered: [FourCC("ST12"), .nv12])).seen == 20)
        let unknown = try outcome(.init(native: FourCC("ST12"), offered: [FourCC("ST12")]))
        #expect(unknown.fault == .unknownPictures(FourCC("ST12")))
        #expect(try outcome(.init(ignoresSetFormat: true)).seen == 20)
        #expect(try outcome(.init(native: .nv21, offered: [.nv21])).seen == 20)
        let reason = thrown(DecoderFault.self) { try HardwareDecoder(FakeDecoder(), decoding: FourCC("H264")) }
        #expect(reason == .noDevice(FourCC("H264")))
    }

    @Test func liesAboutItsBuffers() throws {
        #expect(try outcome(.init(inventsBuffers: true)).fault == .nonsense("coded buffer 77 is done"))
        #expect(try outcome(.init(serial: { _ in 0 })).fault == .untimed(pictures: DecoderMachine.mostUntimed))
    }

    @Test(arguments: Effort.batches(400)) func anything(seeds: ClosedRange<UInt64>) throws {
        for seed in seeds { try anything(seed) }
    }

    private func anything(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var faults = FakeDecoder.Faults()
        faults.claimedMinimum = [nil, 0, 1, 2, 5, 40].randomElement(using: &random) ?? nil
        faults.minimum = .random(in: 1...6, using: &random)
        faults.lastIsPicture = .random(using: &random)
        faults.outliveTheirQueue = .random(using: &random)
        faults.isRestless = .random(in: 0..<8, using: &random) == 0
        faults.endsForNothing = .random(in: 0..<8, using: &random) == 0
        if .random(in: 0..<8, using: &random) == 0 { faults.eatsBehind = .random(in: 0...20, using: &random) }
        if .random(using: &random) {
            let codes = [ENOMEM, ENODEV, EIO, EBUSY, EPIPE]
            faults.refusal = (.random(in: 1...400, using: &random), codes.randomElement(using: &random) ?? EIO)
        }
        let device = FakeDecoder(faults)
        let began = device.now
        do {
            let drive = try DecoderDrive(
                device, codedBuffers: .random(in: 1...4, using: &random),
                sparePictures: .random(in: 0...6, using: &random))
            for _ in 0..<Int.random(in: 1...30, using: &random) {
                switch Int.random(in: 0..<8, using: &random) {
                case 0: try drive.decoder.flush()
                case 1: try drive.finish()
                case 2: try drive.feed([[FakeStream.noise]])
                case 3: try drive.feed([[FakeStream.cut]])
                case 4:
                    try drive.decoder.drain()
                    try drive.finish()
                default: try drive.feed(FakeStream.pictures(1...3, size: .random(in: 1...2, using: &random)))
                }
            }
            try drive.finish()
        } catch let fault as DecoderFault {
            #expect(!fault.description.isEmpty)
        }
        #expect(device.now - began < .seconds(60), "seed \(seed)")
        #expect(device.live.value == 0, "seed \(seed)")
        #expect(device.shutDowns == (device.calls == 0 ? 0 : 1), "seed \(seed)")
    }
}
