// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Testing
import Time
import Timelines
import Typesetting

@testable import Presentation

@Suite struct ScreenTextLoopTests {
    private final class Stage {
        var overlays: [OverlayPlane: OverlayPicture] = [:]
        var ticker: TickerStrip?
        var commands = 0
        var takes = true

        func post(_ command: StageCommand) -> Bool {
            guard takes else { return false }
            commands += 1
            switch command {
            case .setOverlay(let picture, let plane): overlays[plane] = picture
            case .setTicker(let strip): ticker = strip
            default: Issue.record("not a command of the screen text")
            }
            return true
        }
    }

    private static let wall = ScreenTextTests.evening

    private func loop(
        _ stage: Stage, size: PixelSize = PixelSize(width: 640, height: 360), percent: Int = 5,
        _ set: (inout ScreenText.Policy) -> Void = { _ in }
    ) -> ScreenTextLoop {
        var policy = ScreenText.Policy()
        set(&policy)
        return ScreenTextLoop(policy, ScreenGeometry(stage: size, safeAreaPercent: percent), stage: stage.post) {
            Issue.record("\($0)")
        }
    }

    private func at(_ ms: Int64) -> Monotonic { Monotonic(nanoseconds: 1_000_000_000 + ms * 1_000_000) }

    /// Another output has another size: what is shown is typeset for it at once.
    @Test func textsFollowTheSizeOfTheStage() throws {
        let stage = Stage()
        let loop = loop(stage)
        _ = loop.handle([.channelTuned(ScreenTextTests.label), .set(.banner, .on)], now: at(0), wall: Self.wall)
        let before = try #require(stage.overlays[.banner])
        _ = loop.handle([.stage(PixelSize(width: 1_280, height: 720))], now: at(100), wall: Self.wall)
        let after = try #require(stage.overlays[.banner])
        #expect(after.canvas.width > before.canvas.width * 3 / 2 && after.y > before.y)
        _ = loop.handle([.stage(PixelSize(width: 1_280, height: 720))], now: at(200), wall: Self.wall)
        #expect(stage.overlays[.banner] === after)
    }

    /// Nothing is drawn when nothing changes.
    @Test func equalContentIsNotTypesetAgain() throws {
        let stage = Stage()
        let loop = loop(stage)
        _ = loop.handle([.channelTuned(ScreenTextTests.label), .set(.banner, .on)], now: at(0), wall: Self.wall)
        #expect(loop.counters.typesettings == 1 && stage.commands == 1)
        let first = try #require(stage.overlays[.banner])
        for second in 1...20 as ClosedRange<Int64> {
            let wall = WallTime(nanoseconds: Self.wall.nanoseconds + second * 1_000_000_000)
            _ = loop.handle(
                [.programmes(now: ScreenTextTests.label.now, next: ScreenTextTests.label.next), .buffering(false)],
                now: at(second * 1_000), wall: wall)
        }
        #expect(loop.counters.typesettings == 1 && stage.commands == 1)
        #expect(stage.overlays[.banner] === first)
        _ = loop.handle([.set(.banner, .off)], now: at(21_000), wall: Self.wall)
        #expect(stage.overlays.isEmpty && loop.counters.removals == 1)
    }

    @Test func deadlineIsThatOfTheScreen() {
        let stage = Stage()
        let loop = loop(stage)
        #expect(loop.handle([], now: at(0), wall: Self.wall) == nil)
        let next = loop.handle([.channelTuned(ScreenTextTests.label)], now: at(0), wall: Self.wall)
        #expect(next == at(5_000))
        #expect(loop.handle([], now: at(5_000), wall: Self.wall) == nil)
        #expect(stage.overlays.isEmpty)
    }

    /// What the stage did not take is posted again.
    @Test func aStageThatHangsIsAskedAgain() {
        let stage = Stage()
        let loop = loop(stage)
        stage.takes = false
        #expect(loop.handle([.buffering(true)], now: at(0), wall: Self.wall) == at(1_000))
        stage.takes = true
        #expect(loop.handle([], now: at(1_000), wall: Self.wall) == nil)
        #expect(stage.overlays[.buffering] != nil && loop.counters.refused == 1)
    }

    /// The card is the whole stage to its outermost pixel, opaque, and typeset once; what moves is a small part of it.
    @Test(arguments: [
        PixelSize(width: 1, height: 1), PixelSize(width: 64, height: 64), PixelSize(width: 641, height: 361),
        PixelSize(width: 720, height: 1_280), PixelSize(width: 1_920, height: 1_080),
    ])
    func testCardIsTheWholeStage(size: PixelSize) throws {
        let stage = Stage()
        let loop = loop(stage, size: size, percent: 8)
        let text = ScreenTestCard(title: "Bar", lines: ["6f1c0f6e-4a3c", "HDMI-A-1, 1920x1080@50", "75 %"])
        let next = loop.handle([.testCard(text, span: .seconds(600))], now: at(0), wall: Self.wall)
        #expect(next == at(1_000))
        let card = try #require(stage.overlays[.testCard])
        #expect(card.x == 0 && card.y == 0 && card.canvas.width == size.width && card.canvas.height == size.height)
        var isOpaque = true
        for row in 0..<size.height {
            for column in 0..<size.width where card.canvas.bytes[row * card.canvas.stride + column * 4 + 3] != 255 {
                isOpaque = false
            }
        }
        #expect(isOpaque)
        #expect(card.canvas.bytes[..<4].elementsEqual([255, 255, 255, 255]))
        let motion = try #require(stage.overlays[.testCardMotion])
        #expect(motion.x >= 0 && motion.x + motion.canvas.width <= size.width)
        #expect(motion.y >= 0 && motion.y + motion.canvas.height <= size.height)
        _ = loop.handle([], now: at(1_000), wall: Self.wall)
        #expect(stage.overlays[.testCard] === card)
        let later = try #require(stage.overlays[.testCardMotion])
        #expect(later !== motion && loop.counters.typesettings == 3 && loop.counters.drawErrors == 0)
        let isAlike = later.canvas.isEqual(to: motion.canvas)
        #expect(!isAlike || size.width < 64)
        _ = loop.handle([.testCard(nil, span: .zero)], now: at(1_500), wall: Self.wall)
        #expect(stage.overlays.isEmpty)
    }

    /// Another safe area moves what is shown, once.
    @Test func optionsTypesetAnew() throws {
        let stage = Stage()
        let loop = loop(stage, percent: 0)
        _ = loop.handle(
            [.channelTuned(ScreenTextTests.label), .set(.banner, .on), .ticker(TickerText("2:1"))], now: at(0),
            wall: Self.wall)
        let (before, ticker) = (try #require(stage.overlays[.banner]), try #require(stage.ticker))
        var options = ScreenTextEngine.Options()
        options.safeAreaPercent = 10
        _ = loop.handle([.options(options)], now: at(1_000), wall: Self.wall)
        let after = try #require(stage.overlays[.banner])
        #expect(
            after.x > before.x && after.y + after.canvas.height < before.y + before.canvas.height
                && stage.ticker?.area.y != ticker.area.y)
        let count = loop.counters.typesettings
        _ = loop.handle([.options(options)], now: at(2_000), wall: Self.wall)
        #expect(loop.counters.typesettings == count)
        options.policy.isEnabled = false
        _ = loop.handle([.options(options)], now: at(3_000), wall: Self.wall)
        #expect(stage.overlays.isEmpty && stage.ticker != nil)
    }

    /// A channel whose name reads from the right has its number there.
    @Test func rightToLeftIsMirrored() throws {
        func banner(_ name: String, _ direction: TextDirection?) throws -> (left: Int, right: Int) {
            let stage = Stage()
            let geometry = ScreenGeometry(
                stage: PixelSize(width: 640, height: 360), safeAreaPercent: 5, direction: direction)
            let loop = ScreenTextLoop(ScreenText.Policy(), geometry, stage: stage.post) { Issue.record("\($0)") }
            _ = loop.handle([.channelTuned(.init(number: 12, name: name))], now: at(0), wall: Self.wall)
            let picture = try #require(stage.overlays[.banner])
            return Ink(of: picture.canvas).accents
        }
        let usual = try banner("Hall 7", nil)
        let mirrored = try banner("ערוץ ראשון", nil)
        #expect(usual.left > 2 * usual.right)
        #expect(mirrored.right > 2 * mirrored.left)
        let forced = try banner("Hall 7", .rightToLeft)
        #expect(forced.right > 2 * forced.left)
    }

    @Test func tickerRunsTheWayItReads() throws {
        let stage = Stage()
        let loop = loop(stage)
        _ = loop.handle([.ticker(TickerText("Full time: 2:1"))], now: at(0), wall: Self.wall)
        let usual = try #require(stage.ticker)
        #expect(usual.direction == .leftwards && usual.pixelsPerSecond == 50 && usual.area.size.width == 640)
        #expect(usual.canvas.height == usual.area.size.height && usual.canvas.width > 60)
        _ = loop.handle(
            [.ticker(TickerText("نهاية المباراة", pixelsPerSecond: 125, position: .top))], now: at(1), wall: Self.wall)
        let other = try #require(stage.ticker)
        #expect(other.direction == .rightwards && other.pixelsPerSecond == 125 && other.area.y < 180)
        #expect(Ink(of: other.canvas).most > 200)
        _ = loop.handle([.ticker(nil)], now: at(2), wall: Self.wall)
        #expect(stage.ticker == nil)
    }

    @Test func anEndlessTickerIsOneStripAndCut() throws {
        let stage = Stage()
        let loop = loop(stage, size: PixelSize(width: 3_840, height: 2_160))
        let text = String(repeating: "Full\ntime: 2:1 · ", count: 120)
        _ = loop.handle([.ticker(TickerText(text))], now: at(0), wall: Self.wall)
        let strip = try #require(stage.ticker)
        #expect((12_000...16_384).contains(strip.canvas.width))
        #expect(strip.pixelsPerSecond == 300)
    }

    /// Whatever a stream or a caller says ends in a picture.
    @Test(arguments: [
        "", " ", "\n", "{\\p1}m 0 0 l 9 9", "\u{202e}evil", String(repeating: "W", count: 5_000), "\\N\\n{", "中文字幕",
        "\u{1b}[2J", String(repeating: "\n", count: 500), "👩‍👩‍👧", "\u{10ffff}",
    ])
    func hostileTextIsDrawn(text: String) {
        let stage = Stage()
        let loop = loop(stage)
        let programme = Programme(
            title: text, start: WallTime(nanoseconds: .min), stop: WallTime(nanoseconds: .max))
        _ = loop.handle(
            [
                .channelTuned(.init(number: .max, name: text, now: programme, next: programme)),
                .statistics(StatisticsPanel(heading: [text], [.init(text, [.init(.init(text, text))])])),
                .set(.stats, .on),
                .message(ScreenMessage(text), span: nil), .message(ScreenMessage(text, isEmergency: true), span: nil),
                .ticker(TickerText(text)),
            ], now: at(0), wall: Self.wall)
        #expect(Set(stage.overlays.keys) == [.emergency] && stage.ticker == nil, "it is alone")
        _ = loop.handle(
            [.message(nil, span: nil), .message(ScreenMessage(text), span: nil)], now: at(1), wall: Self.wall)
        #expect(stage.overlays.count == 3 && stage.ticker != nil && loop.counters.drawErrors == 0)
    }
}
