// SPDX-License-Identifier: Apache-2.0
import Media
import Testing

@testable import Codecs

@Suite struct EncoderTests {
    @Test(arguments: [0, 2]) func picturesSurviveTheRoundTrip(bFrames: Int) throws {
        var settings = VideoEncoder.Settings(
            width: 320, height: 240, rate: (25, 1), gop: 10, kilobitsPerSecond: 500)
        settings.bFrames = bFrames
        var encoder = try VideoEncoder(settings)
        var decoder = try VideoDecoder(.h264)
        let picture = PictureBuffer(width: 320, height: 240)
        var (keys, lumas, dts): ([Int64], [Int64: Int], [Int64]) = ([], [:], [])
        func take(_ unit: EncodedUnit) {
            if unit.isKey { keys.append(unit.pts) }
            dts.append(unit.dts)
            #expect(unit.bytes.starts(with: [0, 0, 0, 1, 9]))
            let access = AccessUnit(pts: unit.pts, dts: unit.dts, isRandomAccess: unit.isKey, isDamaged: false)
            do {
                try decoder.send(access, unit.bytes)
                for picture in try decoder.pictures() { lumas[picture.pts] = picture.luma }
            } catch {
                Issue.record(error)
            }
        }
        for index in 0..<30 {
            let luma = picture.plane(0)
            UnsafeMutableRawBufferPointer(rebasing: picture.bytes[..<(luma.stride * luma.height)])
                .initializeMemory(as: UInt8.self, repeating: UInt8(40 + index * 5))
            try encoder.encode(picture, take)
        }
        try encoder.finish(take)
        for picture in try decoder.rest() { lumas[picture.pts] = picture.luma }
        #expect(keys == [0, 36_000, 72_000])
        #expect(dts == dts.sorted())
        #expect(lumas.count == 30)
        for index in 0..<30 {
            let luma = try #require(lumas[Int64(index) * 3_600])
            #expect(abs(luma - (40 + index * 5)) <= 2)
        }
    }

    @Test func lowDelayGivesEachPictureAtOnce() throws {
        var settings = VideoEncoder.Settings(width: 64, height: 64, rate: (50, 1), gop: 50, kilobitsPerSecond: 100)
        settings.isLowDelay = true
        var encoder = try VideoEncoder(settings)
        let picture = PictureBuffer(width: 64, height: 64)
        for index in 0..<10 {
            var times: [Int64] = []
            try encoder.encode(picture) { times.append($0.pts) }
            #expect(times == [Int64(index) * 1_800])
        }
    }

    /// A click must come out at the time at which it went in: the beep of the test card goes with a flash.
    @Test func soundKeepsItsTime() throws {
        var encoder = try AudioEncoder()
        var decoder = try AudioDecoder(.aac)
        var input = [Float](repeating: 0, count: 2 * 48_000)
        for index in 24_000..<26_000 {
            let sample: Float = index / 24 % 2 == 0 ? 0.5 : -0.5
            input[2 * index] = sample
            input[2 * index + 1] = sample
        }
        var onset: Int64?
        try input.withUnsafeBufferPointer { samples in
            try encoder.encode(samples) { unit in
                do {
                    let access = AudioDecoderTests.unit(.aac, pts: unit.pts)
                    try decoder.send(access, unit.bytes)
                    try decoder.receive { block in
                        guard onset == nil, let start = block.pts else { return }
                        for index in 0..<block.frames where abs(block.samples[2 * index]) > 0.25 {
                            onset = start + Int64(index) * 90_000 / 48_000
                            return
                        }
                    }
                } catch {
                    Issue.record(error)
                }
            }
        }
        let found = try #require(onset)
        #expect(abs(found - 45_000) < 90)  // a millisecond
    }

    @Test func screenshotsComeBackExactly() throws {
        let canvas = CanvasBuffer(width: 123, height: 45)
        for index in canvas.bytes.indices {
            canvas.bytes[index] = UInt8(truncatingIfNeeded: index &* 2_654_435_761 >> 7)
        }
        let file = try PNG.encode(canvas)
        #expect(file.starts(with: [0x89, 0x50, 0x4e, 0x47]))
        let back = try PNG.decode(file)
        let (width, height) = (back.width, back.height)
        #expect(width == 123 && height == 45)
        var isEqual = true
        for row in 0..<45 {
            for octet in 0..<(123 * 4) where octet % 4 != 3 {
                isEqual = isEqual && back.bytes[row * back.stride + octet] == canvas.bytes[row * canvas.stride + octet]
            }
        }
        #expect(isEqual)
        #expect(throws: CodecError.self) { _ = try PNG.decode(Array(file.prefix(40))).width }
    }

    /// Pixels of each form that a PNG file may have, as blue, green, red, opacity, premultiplied.
    @Test(
        arguments: [
            ("grey.png", [10, 10, 10, 255, 200, 200, 200, 255]), ("grey-opacity.png", [50, 50, 50, 128, 0, 0, 0, 0]),
            ("palette.png", [0, 0, 255, 255, 128, 0, 0, 128]), ("opacity.png", [0, 0, 255, 255, 0, 50, 0, 64]),
        ] as [(String, [UInt8])]) func pictureFilesAreDecoded(name: String, pixels: [UInt8]) throws
    {
        let file = try Vector.bytes(name)
        let canvas = try PNG.decode(file)
        #expect(Array(canvas.bytes[..<8]) == pixels)
        #expect(throws: CodecError.self) { _ = try PNG.decode(file, mostPixels: 1).width }
    }

    @Test func pictureFilesOfSixteenBitsAreRefused() throws {
        let file = try Vector.bytes("deep.png")
        #expect(throws: CodecError.self) { _ = try PNG.decode(file).width }
    }
}
