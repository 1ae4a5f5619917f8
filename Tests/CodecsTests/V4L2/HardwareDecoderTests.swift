// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import TestSupport
import Testing
import Time

@testable import Codecs

@Suite struct HardwareDecoderTests {
    @Test(arguments: [1, 2, 4], [0, 1, 4]) func givesEveryPictureInOrder(coded: Int, spare: Int) throws {
        for lastIsPicture in [false, true] {
            let device = FakeDecoder(.init(lastIsPicture: lastIsPicture))
            do {
                let drive = try DecoderDrive(device, codedBuffers: coded, sparePictures: spare)
                #expect(try drive.run(FakeStream.pictures(1...20)) == nil)
                #expect(drive.seen.map(\.value) == Array(1...20))
                #expect(drive.seen.map(\.pts) == (1...20).map { $0 * 3_600 })
                #expect(drive.seen.allSatisfy { $0.width == 46 })
                #expect(drive.decoder.counts.setUps == 1)
            }
            #expect(device.live.value == 0)
            #expect(device.shutDowns == 1)
        }
    }

    @Test(arguments: [true, false]) func followsAChangeOfSize(lastIsPicture: Bool) throws {
        let drive = try DecoderDrive(FakeDecoder(.init(lastIsPicture: lastIsPicture)))
        let units = FakeStream.pictures(1...7) + FakeStream.pictures(8...9, size: 3) + FakeStream.pictures(10...20)
        #expect(try drive.run(units) == nil)
        #expect(drive.seen.map(\.value) == Array(1...20))
        #expect(drive.seen.map(\.width) == (1...20).map { (8...9).contains($0) ? 78 : 46 })
        #expect(drive.decoder.counts.setUps == 3)
        #expect(drive.decoder.format?.fourCC == .nv12)
    }

    /// What screens take best of what there is: pairs with red first, where there is nothing else.
    @Test(arguments: [
        (FourCC("NV21"), [FourCC("NV21"), FourCC("NV12")], FourCC("NV12")),
        (FourCC("NV21"), [FourCC("NV21"), FourCC("YV12")], FourCC("YV12")),
        (FourCC("YU12"), [FourCC("YU12"), FourCC("NV21")], FourCC("YU12")),
        (FourCC("ST12"), [FourCC("ST12"), FourCC("NV21")], FourCC("NV21")),
        (FourCC("NV21"), [FourCC("NV21")], FourCC("NV21")),
    ]) func choosesAmongPictures(native: FourCC, offered: [FourCC], chosen: FourCC) throws {
        let drive = try DecoderDrive(FakeDecoder(.init(native: native, offered: offered)))
        #expect(try drive.run(FakeStream.pictures(1...3)) == nil)
        #expect(drive.decoder.format?.fourCC == chosen && drive.seen.count == 3)
    }

    @Test func goesOnBehindAnEnd() throws {
        let drive = try DecoderDrive(FakeDecoder())
        for round in 0..<4 {
            #expect(try drive.run(FakeStream.pictures(1...5, size: round == 2 ? 2 : 1)) == nil)
            #expect(drive.seen.count == 5 * (round + 1))
        }
    }

    /// What went in before a flush does not come out behind it, at whatever moment it comes.
    @Test(arguments: 0...12) func forgetsOnFlush(steps: Int) throws {
        let drive = try DecoderDrive(FakeDecoder())
        try drive.feed(FakeStream.pictures(1...6) + FakeStream.pictures(7...7, size: 2))
        for _ in 0..<steps { try drive.decoder.advance(atMost: .milliseconds(2)) }
        let before = drive.seen
        try drive.decoder.flush()
        #expect(try drive.run(FakeStream.pictures(100...109)) == nil)
        #expect(drive.seen.dropFirst(before.count).map(\.value) == Array(100...109))
        #expect(drive.decoder.counts.flushes == 1)
    }

    @Test(arguments: [1, 2, 4]) func endsWithinAUnit(coded: Int) throws {
        let drive = try DecoderDrive(FakeDecoder(), codedBuffers: coded)
        for round in 1...3 {
            #expect(try drive.run(FakeStream.pictures(1...3) + [[FakeStream.part]]) == nil)
            #expect(drive.seen.count == 3 * round)
        }
    }

    @Test func endsBeforeAHeader() throws {
        let device = FakeDecoder()
        let drive = try DecoderDrive(device)
        let began = device.now
        #expect(try drive.run([[FakeStream.noise], [FakeStream.noise]]) == nil)
        #expect(drive.seen.isEmpty)
        #expect(drive.decoder.counts.headerless == 1)
        #expect(device.now - began < .seconds(1))
        #expect(try drive.run(FakeStream.pictures(1...3)) == nil)
        #expect(drive.seen.count == 3)
    }

    @Test func anEmptyStreamEndsAtOnce() throws {
        let device = FakeDecoder()
        let drive = try DecoderDrive(device)
        let began = device.now
        #expect(try drive.run([]) == nil)
        #expect(device.now == began)
    }

    @Test func damageCostsItsPictureAlone() throws {
        let drive = try DecoderDrive(FakeDecoder())
        let units = FakeStream.pictures(1...3) + [[FakeStream.cut], [FakeStream.noise]] + FakeStream.pictures(4...6)
        #expect(try drive.run(units) == nil)
        #expect(drive.seen.map(\.value) == Array(1...6))
        #expect(drive.decoder.counts.damaged == 1)
    }

    /// As long as its reader has them all, the device owes nothing; a new set of buffers may come meanwhile.
    @Test(arguments: [true, false]) func waitsForItsPictures(outlive: Bool) throws {
        let device = FakeDecoder(.init(outliveTheirQueue: outlive))
        do {
            let drive = try DecoderDrive(device, sparePictures: 0)
            try drive.offer(FakeStream.pictures(1...1)[0])
            for _ in 0..<3 { try drive.decoder.advance(atMost: .milliseconds(2)) }
            var kept = try drive.decoder.take()
            try drive.offer(FakeStream.pictures(2...2, size: 2)[0])
            for _ in 0..<90 { try drive.decoder.advance(atMost: .milliseconds(20)) }
            #expect(drive.decoder.counts.setUps == (outlive ? 2 : 1))
            var value: UInt8?
            if let frame = kept.take() { value = DecoderDrive.Seen(frame).value }
            #expect(value == 1)
            #expect(try drive.run([]) == nil)
            #expect(drive.seen.map(\.value) == [2])
        }
        #expect(device.live.value == 0)
    }
}
