// SPDX-License-Identifier: Apache-2.0
import Media
import TestSupport
import Testing
import Time

@testable import Codecs

/// Pictures that are shown in another order than they are coded: whoever goes on with a stream, each comes once, at its
/// place.
@Suite struct ReorderedPictureTests {
    private typealias Faults = FakeDecoder.Faults

    /// Groups that stand for themselves, and groups with pictures that refer to the group before.
    enum Stream: String, CaseIterable {
        case closed = "testsrc2-320x180.h264"
        case open = "main.m2v"

        var codec: Codec { self == .closed ? .h264 : .mpeg2Video }
    }

    private struct Clip {
        let codec: Codec
        let units: [(unit: AccessUnit, bytes: [UInt8])]
        /// Of a unit's picture among all.
        let places: [[UInt8]: Int]
        var all: [Int64] { units.map(\.unit.pts).sorted() }

        /// Times are those that the processor's decoder finds.
        init(_ stream: Stream) throws {
            codec = stream.codec
            let coded = Vector.accessUnits(try Vector.bytes(stream.rawValue), codec)
            var decoder = try VideoDecoder(codec)
            var order: [Int64] = []
            func take(_ decoder: inout VideoDecoder) throws {
                while let frame = try decoder.receive() { order.append(frame.pts) }
            }
            for (unit, bytes) in coded {
                try bytes.withUnsafeBytes { try decoder.send(unit, $0) }
                try take(&decoder)
            }
            try decoder.drain()
            try take(&decoder)
            try #require(order.count == coded.count && order != order.sorted())
            var places: [[UInt8]: Int] = [:]
            for (place, pts) in order.enumerated() { places[coded[Int(pts / 3_600)].bytes] = place }
            try #require(places.count == coded.count)
            self.places = places
            units = coded.map { unit, bytes in
                let pts = Int64((places[bytes] ?? 0) + 2) * 3_600
                return (
                    AccessUnit(pts: pts, dts: unit.dts, isRandomAccess: unit.isRandomAccess, isDamaged: false), bytes
                )
            }
        }

        func faults(wedgesBehind pictures: Int?) -> FakeDecoder.Faults {
            var faults = FakeDecoder.Faults(wedgesBehind: pictures)
            let places = places
            faults.place = { places[$0] ?? 0 }
            return faults
        }
    }

    private func play(_ clip: Clip, _ attempts: [Int?], _ comment: Comment) throws -> LadderDrive {
        let bench = FakeBench([{ clip.faults(wedgesBehind: $0 < attempts.count ? attempts[$0] : nil) }])
        let drive = LadderDrive(bench, .auto, of: clip.codec)
        try drive.feed(clip.units)
        try drive.finish()
        drive.end()
        #expect(drive.pictures == clip.all, comment)
        #expect(drive.longestPause < .seconds(1), comment)
        #expect(drive.errors == 0 && bench.live.value == 0, comment)
        return drive
    }

    @Test(arguments: Stream.allCases) func aDeviceDecodesAll(stream: Stream) throws {
        let clip = try Clip(stream)
        #expect(try play(clip, [], "whole").ofDevices == clip.units.count)
    }

    /// Wherever it was, the processor begins again at a random-access point, and nothing is shown twice or left out.
    @Test(arguments: Stream.allCases) func theProcessorGoesOn(stream: Stream) throws {
        let clip = try Clip(stream)
        for pictures in Effort.sample(0...clip.units.count - 1, most: 16) {
            let drive = try play(clip, [pictures, 0], "behind \(pictures)")
            #expect(drive.openings.last?.tier == .software && drive.ofDevices == pictures, "behind \(pictures)")
        }
    }

    @Test(arguments: Stream.allCases) func theDeviceGoesOnItself(stream: Stream) throws {
        let clip = try Clip(stream)
        for pictures in Effort.sample(0...clip.units.count - 1, most: 16) {
            let drive = try play(clip, [pictures, nil], "behind \(pictures)")
            #expect(drive.ofDevices == clip.units.count, "behind \(pictures)")
        }
    }
}
