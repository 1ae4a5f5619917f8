// SPDX-License-Identifier: Apache-2.0
import Media
import TestSupport
import Testing

@testable import Codecs

@Suite struct DecoderDeviceTests {
    private static let h264Profile: UInt32 = 0x0099_0900 + 363
    private static let h264Level: UInt32 = 0x0099_0900 + 359

    @Test func tellsWhatItsDriverTells() throws {
        let driver = FakeQuestions.decoder(FourCC("H264"), FourCC("MJPG"), FourCC("HEVC"))
        driver.sizes = { index, format in
            format == FourCC("H264") && index == 0 ? V4L2FrameSize(48, 32, to: 1_920, 1_088) : nil
        }
        driver.menus = [Self.h264Profile: (0, 4), Self.h264Level: (9, 11)]
        driver.items = { index, control in
            guard control == Self.h264Profile else { return "Level \(index)" }
            return [0: "Baseline", 2: "Main", 4: "High"][index]
        }
        let device = try #require(DecoderDevice(asking: driver))
        #expect(device.kind == .stateful && device.isMultiPlanar && device.path == "/dev/video7")
        #expect(device.driver == "fake-vpu" && device.card == "Fake" && device.bus == "platform:fake")
        #expect(device.streams.map(\.coding) == [.h264, .hevc])
        #expect(device.streams[0].sizes == FrameSizes(width: 48...1_920, height: 32...1_088))
        #expect(device.streams[0].profiles == ["Baseline", "Main", "High"])
        #expect(device.streams[0].levels == ["Level 9", "Level 10", "Level 11"])
        #expect(device.streams[1].sizes == nil && device.streams[1].profiles.isEmpty)
        #expect(device.pictures == [.nv12])
    }

    @Test(arguments: VideoCoding.allCases) func isStatelessByItsFormats(coding: VideoCoding) throws {
        #expect(try #require(DecoderDevice(asking: FakeQuestions.decoder(coding.stateful))).kind == .stateful)
        let stateless = try #require(DecoderDevice(asking: FakeQuestions.decoder(coding.stateless)))
        #expect(stateless.kind == .stateless && stateless.streams.map(\.coding) == [coding])
        let both = try #require(DecoderDevice(asking: FakeQuestions.decoder(coding.stateless, coding.stateful)))
        #expect(both.kind == .stateful && both.streams.map(\.format) == [coding.stateful])
    }

    /// Encoders, scalers, decoders of still pictures.
    @Test func whatDecodesNoVideoIsNone() {
        let encoder = FakeQuestions()
        encoder.coded = { $0 == 0 ? (.nv12, false) : nil }
        encoder.pictures = { $0 == 0 ? (FourCC("H264"), true) : nil }
        #expect(DecoderDevice(asking: encoder) == nil)
        #expect(DecoderDevice(asking: FakeQuestions.decoder(FourCC("MJPG"))) == nil)
        #expect(DecoderDevice(asking: FakeQuestions()) == nil)
    }

    @Test func anEndlessDriverIsLeft() throws {
        let driver = FakeQuestions()
        driver.coded = { (FourCC(rawValue: $0 == 0 ? FourCC("H264").rawValue : UInt32($0)), true) }
        driver.pictures = { (FourCC(rawValue: UInt32($0)), false) }
        driver.sizes = { _, _ in V4L2FrameSize(16, 16, to: 4_096, 2_160) }
        driver.menus = [Self.h264Profile: (0, .max), Self.h264Level: (0, .max)]
        driver.items = { index, _ in "\(index)" }
        let device = try #require(DecoderDevice(asking: driver))
        #expect(device.pictures.count == DecoderDevice.mostFormats && device.streams.count == 1)
        #expect(device.streams[0].profiles.count == Int(DecoderDevice.mostItems) + 1)
        #expect(driver.asked < 1_000)
        let same = FakeQuestions()
        same.coded = { _ in (.fwht, true) }
        #expect(DecoderDevice(asking: same)?.streams.count == 1)
    }

    @Test(arguments: [
        (V4L2FrameSize(0, 0, to: 0, 0), false), (V4L2FrameSize(0, 16, to: 1_920, 1_080), false),
        (V4L2FrameSize(1_920, 16, to: 16, 1_080), false), (V4L2FrameSize(16, 1_080, to: 1_920, 16), false),
        (V4L2FrameSize(16, 16, to: .max, .max), false), (V4L2FrameSize(16, 16, to: 65_536, 16), false),
        (V4L2FrameSize(1, 1, to: 65_535, 65_535), true), (V4L2FrameSize(640, 360, to: 640, 360), true),
    ]) func nonsenseIsNoSize(size: V4L2FrameSize, isSound: Bool) {
        #expect((FrameSizes([size]) != nil) == isSound)
        let good = V4L2FrameSize(640, 360, to: 640, 360)
        #expect(
            (FrameSizes([size, good]) == FrameSizes(width: 640...640, height: 360...360)) != (isSound && size != good))
    }

    @Test func discreteSizesAreOneRange() {
        let sizes = FrameSizes([V4L2FrameSize(720, 576, to: 720, 576), V4L2FrameSize(176, 144, to: 176, 144)])
        #expect(sizes == FrameSizes(width: 176...720, height: 144...576))
    }

    @Test(arguments: [(Int32(-5), Int32(3)), (3, 2), (.min, .max), (.max, .max)]) func nonsenseIsNoMenu(
        first: Int32, last: Int32
    ) throws {
        let driver = FakeQuestions.decoder(FourCC("H264"))
        driver.menus = [Self.h264Profile: (first, last)]
        driver.items = { _, _ in "High" }
        #expect(try #require(DecoderDevice(asking: driver)).streams[0].profiles.isEmpty)
    }

    /// Whatever it answers: no trap, no end of questions missing.
    @Test(arguments: 1...500 as ClosedRange<UInt64>) func anything(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let known = VideoCoding.allCases.flatMap { [$0.stateful, $0.stateless] }
        func isOver() -> Bool { Int.random(in: 0..<40, using: &random) == 0 }
        func number() -> UInt32 { [0, 1, 16, 1_920, 65_535, 65_536, .max].randomElement(using: &random) ?? 0 }
        let driver = FakeQuestions()
        driver.coded = { _ in
            isOver() ? nil : (known.randomElement(using: &random) ?? .fwht, Bool.random(using: &random))
        }
        driver.pictures = { _ in isOver() ? nil : (FourCC(rawValue: number()), Bool.random(using: &random)) }
        driver.sizes = { _, _ in isOver() ? nil : V4L2FrameSize(number(), number(), to: number(), number()) }
        for offset: UInt32 in [270, 271, 359, 363, 511, 512, 513, 615, 616] {
            driver.menus[0x0099_0900 + offset] = (
                Int32(bitPattern: number()), Int32(bitPattern: number())
            )
        }
        driver.items = { _, _ in isOver() ? nil : "" }
        let device = DecoderDevice(asking: driver)
        #expect(driver.asked < 4_096 && device?.streams.isEmpty != true)
    }

    @Test func whatLibavcodecDecodes() {
        #expect(VideoCoding.inSoftware.starts(with: [.h264, .hevc, .mpeg2Video]))
        #expect(!VideoCoding.inSoftware.contains(.fwht))
        #expect(throws: CodecError.self) { _ = try VideoDecoder(.fwht) }
        #expect(VideoCoding(Codec.ac3) == nil)
        #expect(VideoCoding.h264.isPlayed && !VideoCoding.vp9.isPlayed)
        let formats = Codec.allCases.filter(\.isVideo).map { VideoCoding($0)?.stateful }
        #expect(formats == [FourCC("H264"), FourCC("HEVC"), FourCC("MPG2"), FourCC("FWHT")])
    }
}
