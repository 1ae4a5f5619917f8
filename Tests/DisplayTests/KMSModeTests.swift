// SPDX-License-Identifier: Apache-2.0
import Scene
import TestSupport
import Testing
import Time

@testable import Display

struct KMSModeTests {
    private struct Wanted: CustomStringConvertible {
        let modes: [KMSMode]
        let stage: PixelSize
        var content: FrameRate?
        var pin: String?
        var isScaled = false
        /// The beginning of the ladder.
        let ranking: String

        var description: String { "\(stage) \(content?.description ?? "") \(pin ?? "") \(isScaled) → \(ranking)" }

        init(
            _ modes: [KMSMode], _ width: Int, _ height: Int, _ content: FrameRate? = nil, pin: String? = nil,
            scaled: Bool = false,
            is ranking: String
        ) {
            self.modes = modes
            stage = PixelSize(width: width, height: height)
            self.content = content
            self.pin = pin
            isScaled = scaled
            self.ranking = ranking
        }
    }

    private static func check(_ wanted: Wanted, sourceLocation: SourceLocation = #_sourceLocation) {
        let request = ModeRequest(
            size: wanted.stage, pin: wanted.pin.flatMap { ModePin($0) }, content: wanted.content,
            isScaled: wanted.isScaled)
        let ranking = KMSMode.ranking(of: wanted.modes, for: request).map { ScreenModes.text(wanted.modes[$0]) }
        let expected = wanted.ranking.split(separator: " ").map(String.init)
        #expect(Array(ranking.prefix(expected.count)) == expected, "\(wanted)", sourceLocation: sourceLocation)
    }

    @Test func contentOnAFullHDScreen() {
        let tv = ScreenModes.fullHD
        Self.check(Wanted(tv, 1_920, 1_080, is: "1920x1080@60 1920x1080@59.94 1920x1080@50"))
        Self.check(Wanted(tv, 1_920, 1_080, FrameRate(25), is: "1920x1080@25 1920x1080@50 1920x1080@60"))
        Self.check(Wanted(tv, 1_920, 1_080, FrameRate(50), is: "1920x1080@50 1920x1080@60"))
        Self.check(Wanted(tv, 1_920, 1_080, FrameRate(60), is: "1920x1080@60 1920x1080@59.94"))
        Self.check(Wanted(tv, 1_920, 1_080, .ntscFields, is: "1920x1080@59.94 1920x1080@60"))
        Self.check(Wanted(tv, 1_920, 1_080, .ntscFilm, is: "1920x1080@23.976 1920x1080@60"))
        Self.check(Wanted(tv, 1_920, 1_080, FrameRate(12), is: "1920x1080@24 1920x1080@60"))
        Self.check(Wanted(tv, 1_280, 720, FrameRate(25), is: "1280x720@50 1280x720@60 1280x720@59.94 1920x1080@25"))
        Self.check(Wanted(tv, 1_280, 720, .ntscFrames, is: "1280x720@59.94 1280x720@60"))
        // A rate that nothing fits.
        Self.check(Wanted(tv, 1_920, 1_080, FrameRate(17), is: "1920x1080@60 1920x1080@59.94"))
        // A stage that is no mode's: framed rather than cut, in the screen's own.
        Self.check(Wanted(tv, 960, 540, is: "1920x1080@60"))
        Self.check(Wanted(tv, 960, 540, FrameRate(50), is: "1920x1080@50"))
    }

    /// 13 s behind their sound were pictures that somebody showed on such a one in its own mode.
    @Test func fourKIsNoAccident() {
        let tv = ScreenModes.fourK
        Self.check(Wanted(tv, 1_920, 1_080, is: "1920x1080@60"))
        Self.check(Wanted(tv, 1_920, 1_080, FrameRate(24), is: "1920x1080@24"))
        Self.check(Wanted(tv, 1_280, 720, is: "1280x720@60"))
        Self.check(Wanted(tv, 1_280, 720, FrameRate(50), scaled: true, is: "1280x720@50 1920x1080@50 720x576@50"))
        for isScaled in [false, true] {
            let request = ModeRequest(
                size: PixelSize(width: 1_280, height: 720), content: FrameRate(25), isScaled: isScaled)
            #expect(KMSMode.ranking(of: tv, for: request).allSatisfy { tv[$0].pixels <= 1_920 * 1_080 })
        }
        // With the stage, by a pin, and where there is nothing else.
        Self.check(Wanted(tv, 3_840, 2_160, FrameRate(25), is: "3840x2160@25 3840x2160@50 3840x2160@60"))
        Self.check(Wanted(tv, 1_920, 1_080, pin: "preferred", is: "3840x2160@60 1920x1080@60"))
        Self.check(Wanted(tv, 1_920, 1_080, FrameRate(50), pin: "3840x2160", is: "3840x2160@50"))
        Self.check(Wanted(tv, 1_920, 1_080, pin: "3840x2160@30", is: "3840x2160@30 3840x2160@29.97 1920x1080@30"))
        Self.check(Wanted(ScreenModes.onlyFourK, 1_920, 1_080, FrameRate(25), is: "3840x2160@25 3840x2160@30"))
        // Who pins a rate has not asked for that.
        Self.check(Wanted(tv, 1_920, 1_080, pin: "@50", is: "1920x1080@50 1280x720@50"))
    }

    @Test func pins() {
        let tv = ScreenModes.fullHD
        Self.check(
            Wanted(tv, 1_920, 1_080, FrameRate(60), pin: "1920x1080@50", is: "1920x1080@50 1920x1080i@50 1920x1080@60"))
        Self.check(Wanted(tv, 1_280, 720, FrameRate(50), pin: "1920x1080", is: "1920x1080@50"))
        // 60 means 59.94 where there is no other, and after it where there is.
        Self.check(Wanted(tv, 1_920, 1_080, pin: "1920x1080@60", is: "1920x1080@60 1920x1080@59.94"))
        Self.check(Wanted(ScreenModes.hdReady, 1_280, 720, pin: "720x480@60", is: "720x480@59.94"))
        Self.check(Wanted(tv, 1_920, 1_080, pin: "1920x1080@59.94", is: "1920x1080@59.94"))
        // What the screen does not have.
        Self.check(Wanted(tv, 1_920, 1_080, FrameRate(50), pin: "3840x2160", is: "1920x1080@50"))
        Self.check(Wanted(tv, 1_920, 1_080, pin: "@100", is: "1920x1080@60"))
        Self.check(Wanted(ScreenModes.hdReady, 1_280, 720, pin: "1920x1080@50", is: "1920x1080i@50 1280x720@50"))
    }

    @Test func otherScreens() {
        Self.check(Wanted(ScreenModes.hdReady, 1_280, 720, FrameRate(25), is: "1280x720@50 1280x720@60"))
        Self.check(Wanted(ScreenModes.hdReady, 1_920, 1_080, is: "1360x768@60.015"))
        Self.check(Wanted(ScreenModes.hdReady, 1_920, 1_080, FrameRate(50), scaled: true, is: "1280x720@50"))
        Self.check(Wanted(ScreenModes.interlaced, 1_920, 1_080, FrameRate(25), is: "1920x1080i@50 1920x1080i@60"))
        Self.check(Wanted(ScreenModes.interlaced, 720, 576, is: "720x576i@50"))
        Self.check(Wanted(ScreenModes.virtioGPU, 1_280, 720, FrameRate(25), is: "1280x720@74.994 1920x1080@50"))
        Self.check(Wanted(ScreenModes.virtioGPU, 1_280, 720, FrameRate(25), scaled: true, is: "1920x1080@50"))
        Self.check(Wanted(ScreenModes.virtioGPU, 1_920, 1_080, FrameRate(50), is: "1920x1080@50 1920x1080@60"))
        // No mode of the stage's size, and its own is beyond what we take unasked.
        Self.check(Wanted(ScreenModes.office, 1_280, 720, is: "1920x1080@60"))
        Self.check(
            Wanted(ScreenModes.fullHD, 1_920, 1_080, FrameRate(25), scaled: true, is: "1920x1080@25 1920x1080@50"))
        // Rather the wrong rate than a quarter of the pixels.
        let without50 = ScreenModes.modes("1920x1080@60* 720x576@50")
        Self.check(Wanted(without50, 1_920, 1_080, FrameRate(50), scaled: true, is: "1920x1080@60 720x576@50"))
        #expect(KMSMode.choice(of: [], for: PixelSize(width: 720, height: 576)) == nil)
    }

    /// Whatever is wished: each mode at most once, something where there is something, and none that nobody asked for.
    @Test(arguments: Effort.seeds(300)) func everyWish(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let screen = try #require(ScreenModes.all.randomElement(using: &random))
        let modes = screen.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }.shuffled(using: &random)
        let rates: [FrameRate?] = [
            nil, .ntscFilm, FrameRate(24), FrameRate(25), FrameRate(50), .ntscFields, FrameRate(60),
        ]
        let pins: [ModePin?] = [
            nil, nil, .preferred, .rate(FrameRate(50)), .size(PixelSize(width: 1_920, height: 1_080), nil),
            modes.randomElement(using: &random).map { .size($0.size, $0.refresh) },
        ]
        let sizes = [(640, 480), (1_280, 720), (1_920, 1_080), (3_840, 2_160), (1_000, 700)]
        let (width, height) = try #require(sizes.randomElement(using: &random))
        let request = ModeRequest(
            size: PixelSize(width: width, height: height), pin: try #require(pins.randomElement(using: &random)),
            content: try #require(rates.randomElement(using: &random)), isScaled: Bool.random(using: &random))
        let ranking = KMSMode.ranking(of: modes, for: request)
        #expect(ranking.isEmpty == modes.isEmpty)
        #expect(Set(ranking).count == ranking.count && ranking.allSatisfy(modes.indices.contains))
        guard let first = ranking.first.map({ modes[$0] }) else { return }
        let isPinned = request.pin.map(first.isMeant) ?? false
        if let pin = request.pin, modes.contains(where: { $0.isMeant(by: pin) }) {
            if case .rate = pin {} else { #expect(isPinned) }
        }
        guard !isPinned else { return }
        let small = modes.filter { $0.pixels <= request.mostPixels }
        #expect(first.pixels <= request.mostPixels || small.isEmpty)
        #expect(!first.isInterlaced || (small.isEmpty ? modes : small).allSatisfy(\.isInterlaced))
        guard !request.isScaled, !first.isInterlaced else { return }
        let sized = small.filter { $0.size == request.size && !$0.isInterlaced }
        #expect(first.size == request.size || sized.isEmpty)
        if let content = request.content, sized.contains(where: { $0.refresh.isAlmost(content) }) {
            #expect(first.refresh.isAlmost(content))
        }
    }

    /// Timings of CEA-861 and of the emulator's card.
    @Test func refreshOfTimings() {
        func refresh(
            _ clock: UInt32, _ width: Int, _ height: Int, interlaced: Bool = false, doubled: Bool = false,
            repeats: UInt16 = 0
        ) -> FrameRate? {
            KMSMode.refresh(
                clock: clock, total: PixelSize(width: width, height: height), isInterlaced: interlaced,
                isDoubleScanned: doubled, lineRepeats: repeats)
        }
        #expect(refresh(148_500, 2_640, 1_125) == FrameRate(50))
        #expect(refresh(74_250, 2_640, 1_125, interlaced: true) == FrameRate(50))
        #expect(refresh(13_500, 858, 262, doubled: true).map { $0 < FrameRate(31) } == true)
        #expect(refresh(74_250, 2_640, 1_125, repeats: 2) == FrameRate(25, per: 2))
        #expect(refresh(.max, 65_535, 65_535, doubled: true, repeats: .max) != nil)
        #expect(refresh(.max, 1, 1, interlaced: true) != nil)
        #expect(refresh(0, 1, 1) == nil && refresh(1, 0, 1) == nil && refresh(1, 1, 0) == nil)
        #expect(refresh(1, -1, 1) == nil && refresh(1, 1, 65_536) == nil)
    }

    @Test func rates() {
        #expect(ScreenModes.mode("64x64@50").rate == 50)
        #expect(ScreenModes.mode("64x64@59.94").rate == 60)
        #expect(ScreenModes.mode("64x64@59.94").milliHertz == 59_940)
        let size = PixelSize(width: 1, height: 1)
        #expect(KMSMode(size: size, milliHertz: 0, isInterlaced: false, isPreferred: false).rate == 1)
        #expect(KMSMode(size: size, milliHertz: 5_000_000, isInterlaced: false, isPreferred: false).rate == 240)
    }
}
