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
        var times: Set<Int64> = []
        for (unit, bytes) in units {
            try decoder.decode(unit, bytes) { frame in
                #expect(frame.width == 320 && frame.height == 180)  // 180 is cropped from 192
                #expect(frame.format == .yuv420p && frame.matrix == .bt709 && !frame.isFullRange)
                #expect(!frame.isDamaged)
                times.insert(frame.pts)
            }
        }
        try decoder.drain()
        while let frame = try decoder.receive() { times.insert(frame.pts) }
        #expect(units.count == 50)
        #expect(times == Set(units.map(\.unit.pts)))
    }

    @Test func framesOutliveTheDecoder() throws {
        func first() throws -> VideoFrame? {
            var decoder = try VideoDecoder(.h264)
            return try units[0].bytes.withUnsafeBytes { try decoder.firstPicture(of: units[0].unit, $0) }
        }
        guard let frame = try first() else {
            Issue.record("no picture")
            return
        }
        #expect(Picture(frame).luma > 40)
    }

    @Test func showsARandomAccessUnitAtOnceAndGoesOn() throws {
        var decoder = try VideoDecoder(.h264)
        let (unit, bytes) = units[25]
        let first = try bytes.withUnsafeBytes { try decoder.firstPicture(of: unit, $0).map { Picture($0) } }
        #expect(first?.pts == unit.pts)
        var usual: [Picture] = []
        for (unit, bytes) in units[25...] { try decoder.decode(unit, bytes) { usual.append(Picture($0)) } }
        #expect(usual.first == first)
        #expect(usual.count >= 23)
    }

    @Test func joiningBetweenRandomAccessPointsGivesErrorsThenPictures() throws {
        var decoder = try VideoDecoder(.h264)
        var errors = 0
        var pictures = 0
        for (unit, bytes) in units[10...] {
            do { try decoder.decode(unit, bytes) { _ in pictures += 1 } } catch { errors += 1 }
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
            try decoder.decode(unit, entry.bytes) { if $0.isDamaged { damaged.append($0.pts) } }
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
                try decoder.decode(entry.unit, bytes) { isNoticed = isNoticed || $0.isDamaged }
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
        try [UInt8](repeating: 0x55, count: 500).withUnsafeBytes { bytes in
            #expect(throws: CodecError.self) { try decoder.send(units[0].unit, bytes) }
        }
        var pictures = 0
        for (unit, bytes) in units { try decoder.decode(unit, bytes) { _ in pictures += 1 } }
        #expect(pictures > 40)
    }

    @Test func damagedStreamsNeverEndTheProcess() throws {
        var decoder = try VideoDecoder(.h264)
        for seed in 0..<UInt64(Mutation.count(usual: 300)) {
            var mutation = Mutation(seed: seed)
            let (unit, bytes) = units[Int(seed % UInt64(units.count))]
            do {
                try decoder.decode(unit, mutation.damage(bytes)) { _ in }
            } catch {
                // Expected: what counts is that the next unit can be sent.
            }
            if seed % 64 == 63 { decoder.flush() }
        }
        decoder.flush()
        var pictures = 0
        for (unit, bytes) in units { try decoder.decode(unit, bytes) { _ in pictures += 1 } }
        #expect(pictures > 40)
    }

    @Test func frameThreadsGiveTheSamePictures() throws {
        var one = try VideoDecoder(.h264)
        var two = try VideoDecoder(.h264, threads: 2)
        var (expected, found): ([Picture], [Picture]) = ([], [])
        for (unit, bytes) in units {
            try one.decode(unit, bytes) { expected.append(Picture($0)) }
            try two.decode(unit, bytes) { found.append(Picture($0)) }
        }
        try one.drain()
        try two.drain()
        while let frame = try one.receive() { expected.append(Picture(frame)) }
        while let frame = try two.receive() { found.append(Picture(frame)) }
        #expect(found == expected)
    }
}
