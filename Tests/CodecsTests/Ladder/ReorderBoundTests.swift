// SPDX-License-Identifier: Apache-2.0
import Media
import Testing
import Time

@testable import Codecs

/// A device that holds back what its stream lets it is no broken one.
@Suite struct ReorderBoundTests {
    private typealias Size = DecoderNeed.Size

    /// Table A-1, by hand.
    @Test(arguments: [
        (1_920, 1_088, 40, 16), (1_920, 1_080, 50, 28), (1_920, 1_088, 51, 34), (1_280, 720, 40, 20),
        (720, 576, 30, 16), (352, 288, 11, 16), (176, 144, 11, 20), (64, 64, 10, 34), (64, 64, 0, 34),
        (64, 64, 255, 34), (16_384, 16_384, 10, 16),
    ])
    func ofLevels(width: Int, height: Int, level: Int, most: Int) {
        #expect(ReorderBound.units(of: .h264, size: Size(width: width, height: height), level: level) == most)
    }

    @Test func ofOthers() {
        #expect(ReorderBound.units(of: .h264, size: nil, level: 40) == 34)
        #expect(ReorderBound.units(of: .hevc, size: nil, level: nil) == 17)
        #expect(ReorderBound.units(of: .mpeg2Video, size: nil, level: nil) == 16)
    }

    @Test func theStreamTellsItsLevel() throws {
        let probe = try PictureSizeProbe(.h264)
        for (unit, bytes) in Vector.accessUnits(try Vector.bytes("forward.h264")) where unit.isRandomAccess {
            var input = try InputPacket()
            try bytes.withUnsafeBytes { try input.fill($0) }
            #expect(probe.size(of: input.pointer)?.width == 160)
            #expect(probe.level == 11)
        }
    }

    /// Sixteen frames of two fields, and those of the next: the first picture comes with the 34th unit.
    @Test(arguments: [Int64(20), 40]) func sixteenFramesOfFields(pace: Int64) throws {
        let bench = FakeBench([{ _ in FakeDecoder.Faults(place: { Int($0[4]) }, keeps: 33) }])
        let drive = LadderDrive(bench)
        drive.pace = .milliseconds(pace)
        let units = (0..<200).map { number in
            let pts = Int64(number) * 1_800
            let unit = AccessUnit(pts: pts, dts: pts, isRandomAccess: number == 0, isDamaged: false)
            return (unit: unit, bytes: [0, 0, 1, 9, UInt8(number)] as [UInt8])
        }
        try drive.feed(units)
        try drive.finish()
        #expect(drive.openings.map(\.reason) == [nil])
        #expect(drive.pictures == units.map(\.unit.pts) && drive.ofDevices == units.count)
    }
}
