// SPDX-License-Identifier: Apache-2.0
import Media
import TestSupport
import Testing

@testable import Codecs

@Suite struct VideoDecoderTests {
    let units: [(unit: AccessUnit, bytes: [UInt8])]

    init() throws { units = Vector.accessUnits(try Vector.bytes("testsrc2-320x180.h264")) }

    @Test func decodesEveryPictureOnceInOrder() throws {
        var decoder = try VideoDecoder(.h264)
        var pictures: [Picture] = []
        for (unit, bytes) in units { pictures += try decoder.decode(unit, bytes) }
        pictures += try decoder.rest()
        #expect(units.count == 50)
        #expect(Set(pictures.map(\.pts)) == Set(units.map(\.unit.pts)))
        for picture in pictures {
            #expect(picture.width == 320 && picture.height == 180)  // 180 is cropped from 192
            #expect(picture.format == .yuv420p && picture.matrix == .bt709 && !picture.isDamaged)
        }
    }

    @Test func framesOutliveTheDecoder() throws {
        var kept: VideoFrame?
        do {
            var decoder = try VideoDecoder(.h264)
            try units[0].bytes.withUnsafeBytes { kept = try decoder.firstPicture(of: units[0].unit, $0) }
        }
        guard let frame = kept.take() else {
            Issue.record("no picture")
            return
        }
        #expect(Picture(frame).luma > 40)
    }

    @Test func showsARandomAccessUnitAtOnceAndGoesOn() throws {
        var decoder = try VideoDecoder(.h264)
        let (unit, bytes) = units[25]
        var first: Picture?
        try bytes.withUnsafeBytes { if let frame = try decoder.firstPicture(of: unit, $0) { first = Picture(frame) } }
        #expect(first?.pts == unit.pts)
        var usual: [Picture] = []
        for (unit, bytes) in units[25...] { usual += try decoder.decode(unit, bytes) }
        #expect(usual.first == first)
        #expect(usual.count >= 22)
    }

    @Test func joiningBetweenRandomAccessPointsGivesErrorsThenPictures() throws {
        var decoder = try VideoDecoder(.h264)
        var errors = 0
        var pictures = 0
        for (unit, bytes) in units[10...] {
            do { pictures += try decoder.decode(unit, bytes).count } catch { errors += 1 }
        }
        #expect(errors > 0)
        #expect(pictures >= 20)
    }

    @Test func aUnitThatLostPacketsGivesADamagedPicture() throws {
        var decoder = try VideoDecoder(.h264)
        var damaged: [Int64] = []
        for (index, entry) in units.enumerated() {
            var unit = entry.unit
            unit.isDamaged = index == 7
            damaged += try decoder.decode(unit, entry.bytes).filter(\.isDamaged).map(\.pts)
        }
        #expect(damaged == [units[7].unit.pts])
    }

    /// Both an error and a picture marked as damaged are good answers; a silent gap is not.
    @Test func aCutUnitIsNoticed() throws {
        var decoder = try VideoDecoder(.h264)
        var isNoticed = false
        for (index, entry) in units[..<24].enumerated() {
            let bytes = index == 4 ? Array(entry.bytes.dropLast(entry.bytes.count / 2)) : entry.bytes
            do {
                if try decoder.decode(entry.unit, bytes).contains(where: \.isDamaged) { isNoticed = true }
            } catch {
                isNoticed = true
            }
        }
        #expect(isNoticed)
    }

    @Test func refusesEmptyAndForeignOctets() throws {
        var decoder = try VideoDecoder(.h264)
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        #expect(throws: CodecError.invalidData) { try decoder.send(units[0].unit, empty) }
        let foreign = [UInt8](repeating: 0x55, count: 500)
        #expect(throws: CodecError.self) { try decoder.decode(units[0].unit, foreign) }
        var pictures = 0
        for (unit, bytes) in units { pictures += try decoder.decode(unit, bytes).count }
        #expect(pictures > 40)
    }

    @Test func damagedStreamsNeverEndTheProcess() throws {
        var decoder = try VideoDecoder(.h264)
        for seed in 0..<UInt64(Mutation.count(usual: 300)) {
            var mutation = Mutation(seed: seed)
            let (unit, bytes) = units[Int(seed % UInt64(units.count))]
            do {
                _ = try decoder.decode(unit, mutation.damage(bytes))
            } catch {
                // Expected: what counts is that the next unit can be sent.
            }
            if seed % 64 == 63 { decoder.flush() }
        }
        decoder.flush()
        var pictures = 0
        for (unit, bytes) in units { pictures += try decoder.decode(unit, bytes).count }
        #expect(pictures > 40)
    }

    @Test func frameThreadsGiveTheSamePictures() throws {
        var one = try VideoDecoder(.h264)
        var two = try VideoDecoder(.h264, threads: 2)
        var (expected, found): ([Picture], [Picture]) = ([], [])
        for (unit, bytes) in units {
            expected += try one.decode(unit, bytes)
            found += try two.decode(unit, bytes)
        }
        expected += try one.rest()
        found += try two.rest()
        #expect(found == expected)
    }
}
