// SPDX-License-Identifier: Apache-2.0
import Codecs
import Conversion
import Media
import Scene
import TestSupport
import Testing

@testable import Casting

@Suite struct TestCardTests {
    /// What matters most: the number survives coding at a low rate, in the picture it belongs to.
    @Test(arguments: [PixelSize(width: 640, height: 360), PixelSize(width: 1_280, height: 720)])
    func theNumberSurvivesCodingAndDrawing(size: PixelSize) throws {
        var card = try TestCard(size: size, rate: (25, 1), name: "One")
        var settings = VideoEncoder.Settings(
            width: size.width, height: size.height, rate: (25, 1), gop: 25, kilobitsPerSecond: 500)
        settings.bFrames = 2
        var encoder = try VideoEncoder(settings)
        var decoder = try VideoDecoder(.h264)
        var converter = VideoConverter()
        let canvas = CanvasBuffer(width: 400, height: 300)
        let place = PixelRectangle.fitting(size, in: PixelSize(width: 400, height: 300))
        var units: [(AccessUnit, [UInt8])] = []
        func take(_ unit: EncodedUnit) {
            let access = AccessUnit(pts: unit.pts, dts: unit.dts, isRandomAccess: unit.isKey, isDamaged: false)
            units.append((access, Array(unit.bytes)))
        }
        for number in 0..<60 {
            try card.draw(Int64(number) + 0xfff_ffe0, clock: "12:34:56") { try encoder.encode($0, take) }
        }
        try encoder.finish(take)
        var (seen, drawn): ([Int64: UInt32?], [UInt32?]) = ([:], [])
        func look() throws {
            while let frame = try decoder.receive() {
                seen[frame.pts] = FrameCounterCode.read(frame)
                try converter.draw(frame, in: place, of: canvas)
                drawn.append(FrameCounterCode.read(canvas, in: place, of: size))
            }
        }
        for (unit, bytes) in units {
            try bytes.withUnsafeBytes { try decoder.send(unit, $0) }
            try look()
        }
        try decoder.drain()
        try look()
        for number in 0..<60 { #expect(seen[Int64(number) * 3_600] == UInt32(0xfff_ffe0 + number)) }
        #expect(drawn == (0..<60).map { UInt32(0xfff_ffe0 + $0) })
    }

    @Test func aDamagedNumberIsNotBelieved() throws {
        let picture = PictureBuffer(width: 640, height: 64)
        for number in [0, 1, 0x8000_0001, 0xdead_beef, UInt32.max] {
            FrameCounterCode.write(number, to: picture)
            #expect(picture.counter == number)
            picture.fillLuma(x: 18 * 9, y: 16, width: 18, height: 16, 128)
            #expect(picture.counter == nil)
        }
        picture.fillLuma(x: 0, y: 0, width: 640, height: 64, 100)
        #expect(picture.counter == nil)
    }

    @Test func equalNumbersAndTextsMakeEqualPictures() throws {
        let size = PixelSize(width: 640, height: 360)
        var one = try TestCard(size: size, rate: (25, 1), name: "One")
        var two = try TestCard(size: size, rate: (25, 1), name: "One")
        for number in 1...30 { try two.draw(Int64(number), clock: "b") { _ in } }
        var pictures: [[UInt8]] = []
        try one.draw(7, clock: "a") { pictures.append(Array($0.bytes)) }
        try two.draw(7, clock: "a") { pictures.append(Array($0.bytes)) }
        try two.draw(8, clock: "a") { pictures.append(Array($0.bytes)) }
        #expect(pictures[0] == pictures[1] && pictures[1] != pictures[2])
    }

    @Test func theFlashComesWithTheBeep() throws {
        for rate in [(25, 1), (50, 1), (30_000, 1_001)] {
            let card = try TestCard(size: TestCard.smallest, rate: rate, name: "")
            let flashes = (0..<Int64(3 * rate.0 / rate.1)).filter { card.isFlash($0) }
            let times = flashes.map { $0 * 1_000 * Int64(rate.1) / Int64(rate.0) % 1_000 }
            #expect(times.allSatisfy { $0 < 40 } && times.count >= 3)
        }
        var samples: [Float] = []
        TestTone().append(from: 47_000, frames: 5_000, to: &samples)
        let loud = samples.indices.filter { abs(samples[$0]) > 0.001 }
        #expect((2_000...2_006).contains(loud.first ?? 0))
        let end = (1_000 + 1_920) * 2
        #expect((end - 6..<end).contains(loud.last ?? 0))
        let left = stride(from: 2_000, to: 2_000 + 2 * 1_920, by: 2).map { samples[$0] }
        #expect(zip(left, left.dropFirst()).count { $0 <= 0 && $1 > 0 } == 40)  // 1 kHz for 40 ms
    }
}

extension PictureBuffer {
    var counter: UInt32? { FrameCounterCode.read(width: width) { bytes[$1 * strides.0 + $0] } }
}
