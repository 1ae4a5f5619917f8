// SPDX-License-Identifier: Apache-2.0
import Codecs
import Glibc
import Media
import Scene
import System
import Testing
import Time
import Timelines
import Typesetting

@testable import Presentation

/// What people see of the box: each kind of text on stages of all shapes, with names in three scripts and the longest
/// texts that may come.
@Suite struct FaceTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let size: PixelSize
        let names: Names
        let corner: ScreenTheme.Corner
        var testDescription: String { "\(size.width)x\(size.height) \(names) \(corner)" }
    }

    enum Names: String, Sendable, CaseIterable {
        case short, nothing, arabic, japanese, longest, stacked

        var channel: ScreenText.ChannelLabel {
            let (name, now, next): (String, String, String) =
                switch self {
                case .short, .nothing: ("Arena Sports", "Evening match", "News")
                case .arabic: ("القناة الرياضية", "مباراة المساء", "الأخبار")
                case .japanese: ("アリーナスポーツ", "今夜の試合：東京対大阪", "ニュース")
                case .longest: (Self.long, Self.long, Self.long)
                case .stacked:
                    (
                        "A" + String(repeating: "\u{0301}", count: 120),
                        String(repeating: "Z\u{0335}\u{0300}\u{0323}", count: 30),
                        "N"
                    )
                }
            guard self != .nothing else { return ScreenText.ChannelLabel(number: nil, name: name) }
            return ScreenText.ChannelLabel(
                number: self == .longest ? 9_999 : 7, name: name, now: programme(now, -15, 30),
                next: programme(next, 30, 45))
        }

        /// 255 octets, which is the most that a descriptor of DVB has.
        private static let long = String(
            String(repeating: "A long name of a channel or a programme, ", count: 7).prefix(255))

        private func programme(_ title: String, _ from: Int64, _ to: Int64) -> Programme {
            func time(_ minutes: Int64) -> WallTime {
                WallTime(nanoseconds: ScreenTextTests.evening.nanoseconds + (minutes * 60 - 30) * 1_000_000_000)
            }
            return Programme(title: title, start: time(from), stop: time(to))
        }
    }

    static let sizes = [
        PixelSize(width: 640, height: 360), PixelSize(width: 1_280, height: 720), PixelSize(width: 720, height: 1_280),
        PixelSize(width: 1_920, height: 1_080), PixelSize(width: 3_840, height: 2_160),
    ]
    private static let cases =
        sizes.flatMap { size in Names.allCases.map { Case(size: size, names: $0, corner: .bottomLeft) } }
        + ScreenTheme.Corner.allCases.map { Case(size: sizes[1], names: .longest, corner: $0) }
        + [Case(size: PixelSize(width: 64, height: 64), names: .short, corner: .bottomLeft)]

    /// What a loop has put on a stage.
    private final class Stage {
        var overlays: [OverlayPlane: OverlayPicture] = [:]
        var ticker: TickerStrip?

        func post(_ command: StageCommand) -> Bool {
            switch command {
            case .setOverlay(let picture, let plane): overlays[plane] = picture
            case .setTicker(let strip): ticker = strip
            default: Issue.record("not a command of the screen text")
            }
            return true
        }
    }

    /// More than a screen has room for.
    static let panel = StatisticsPanel(
        heading: ["Bar 2 · 10.0.3.17", "6f1c0f6e-4a3c-4e0a-9d0e-0a52b0f3c1aa · 0.1.0 (dev)"],
        (0..<8).map { group in
            StatisticsPanel.Group(
                "Group \(group)",
                (0..<5).map { figure in
                    let row = StatisticsPanel.Row("Figure \(figure)", "\(figure * 1_000_003) packets", .warning)
                    return .init(row, figure == 2 ? StatisticsPanel.Plot((0..<60).map { $0 * 2 }, limit: 50) : nil)
                })
        })

    private func everything(_ names: Names) -> [ScreenText.Input] {
        [
            .channelTuned(names.channel), .set(.banner, .on), .set(.transport, .on), .set(.stats, .on),
            .transport(.init(isPaused: true, place: .live(behind: .seconds(20), available: .seconds(30)))),
            .statistics(Self.panel), .volume(VolumeBar(level: 10, isMuted: false)),
            .volume(VolumeBar(level: 35, isMuted: false)), .buffering(true),
            .message(ScreenMessage("The bar closes in ten minutes"), span: .seconds(10)),
            .message(ScreenMessage("Half time", pictures: StampSpan(from: 0, for: .seconds(10))), span: nil),
            .ticker(TickerText("Full time: 2:1", position: .bottom)),
        ]
    }

    private func at(_ ms: Int64) -> Monotonic { Monotonic(nanoseconds: 1_000_000_000 + ms * 1_000_000) }

    /// Within the safe area, with ink, and none where another one is (but for messages, which lie over all).
    @Test(arguments: cases) func everythingHasItsPlace(_ it: Case) throws {
        let stage = Stage()
        var theme = ScreenTheme()
        theme.corner = it.corner
        let geometry = ScreenGeometry(stage: it.size, safeAreaPercent: 5, theme: theme)
        let loop = ScreenTextLoop(ScreenText.Policy(), geometry, stage: stage.post) { Issue.record("\($0)") }
        _ = loop.handle(everything(it.names), now: at(0), wall: ScreenTextTests.evening)
        let missing = Set(OverlayPlane.allCases).subtracting(stage.overlays.keys)
        #expect(missing == [.channelList, .number, .testCard, .testCardMotion, .emergency])
        for (plane, picture) in stage.overlays {
            #expect(geometry.safe.contains(picture.area), "\(plane): \(picture.area) in \(geometry.safe)")
            let ink = Ink(of: picture.canvas)
            #expect(ink.most > 200 && ink.isPremultiplied, "\(plane)")
        }
        let ticker = try #require(stage.ticker)
        let kept: [OverlayPlane] = [.statistics, .banner, .transport, .volume, .buffering]
        for plane in kept {
            let area = try #require(stage.overlays[plane]).area
            #expect(area.intersection(ticker.area).isEmpty, "\(plane) and the ticker")
            for other in kept where other != plane {
                let second = try #require(stage.overlays[other]).area
                #expect(area.intersection(second).isEmpty, "\(plane) \(area) and \(other) \(second)")
            }
        }
        // An emergency is alone, and the rest comes back.
        let long = String(repeating: "Leave the hall by the nearest door. ", count: 27)
        _ = loop.handle(
            [.message(ScreenMessage(long, isEmergency: true), span: nil)], now: at(1), wall: ScreenTextTests.evening)
        #expect(Array(stage.overlays.keys) == [.emergency] && stage.ticker == nil)
        _ = loop.handle([.message(nil, span: nil)], now: at(2), wall: ScreenTextTests.evening)
        #expect(stage.overlays[.banner] != nil && stage.ticker != nil && stage.overlays[.emergency] == nil)
        #expect(loop.counters.drawErrors == 0)
        try dump(stage, it)
    }

    /// The longest names, titles and messages are whole, on a stage with a ticker and a transport bar as well: no line ends
    /// in "…", and each lies within its panel.
    @Test(arguments: sizes) func theLongestTextsAreWhole(size: PixelSize) throws {
        let setter = TextSetter()
        var geometry = ScreenGeometry(stage: size, safeAreaPercent: 5)
        geometry.neighbours = ScreenGeometry.Neighbours(ticker: .bottom, hasTransport: true)
        let banner = ChannelBanner(Names.longest.channel, at: ScreenTextTests.evening, in: .utc)
        let message = String(String(repeating: "Leave the hall by the nearest door. ", count: 28).prefix(1_000))
        for layout in [
            try OverlayLayout(banner, nil, in: geometry, by: setter),
            try OverlayLayout(ScreenMessage(message), in: geometry, by: setter),
            try OverlayLayout(ScreenMessage(message, isEmergency: true), in: geometry, by: setter),
        ] {
            var letters = 0
            for case .text(let text) in layout.drawings {
                letters += text.string.count
                if case .cut(let room) = text.overflow {
                    #expect(try setter.width(of: text.string, style: text.style) <= room, "\(text.string)")
                }
                #expect(!text.string.hasSuffix("…"), "\(text.string)")
                #expect(text.y >= 0 && text.y + text.style.height <= layout.height, "\(text.string)")
                #expect(try setter.width(of: text.string, style: text.style) <= layout.width, "\(text.string)")
            }
            #expect(letters > 700)
        }
    }

    // MARK: Choosing a channel

    private static func list(_ names: Names, selected: Int = 100) -> ChannelListPanel {
        let label = names.channel
        return ChannelListPanel(
            heading: names == .longest ? String(repeating: "Group of 64 ", count: 6).prefix(64) + "" : "Channels",
            rows: (0..<200).map { index in
                let isPlain = index % 3 != 0 && index != selected
                return ChannelListPanel.Row(
                    number: 9_800 + index, name: isPlain ? "Channel \(index)" : label.name,
                    now: index % 2 == 0 ? label.now?.title : nil, isFavourite: index % 5 == 0)
            }, selected: selected)
    }

    /// The list and the number are beside each other and within the safe area, and all but messages and tickers makes way
    /// for them.
    @Test(arguments: cases) func channelsAreChosen(_ it: Case) throws {
        let stage = Stage()
        var theme = ScreenTheme()
        theme.corner = it.corner
        let geometry = ScreenGeometry(stage: it.size, safeAreaPercent: 5, theme: theme)
        let loop = ScreenTextLoop(ScreenText.Policy(), geometry, stage: stage.post) { Issue.record("\($0)") }
        let number = NumberPanel(digits: "9900", name: it.names.channel.name)
        _ = loop.handle(
            everything(it.names) + [.channelList(Self.list(it.names)), .number(number)], now: at(0),
            wall: ScreenTextTests.evening)
        #expect(Set(stage.overlays.keys) == [.channelList, .number, .advertisement, .scheduled])
        let (list, digits) = (
            try #require(stage.overlays[.channelList]), try #require(stage.overlays[.number])
        )
        let ticker = try #require(stage.ticker)
        for picture in [list, digits] {
            #expect(geometry.safe.contains(picture.area), "\(picture.area) in \(geometry.safe)")
            #expect(picture.area.intersection(ticker.area).isEmpty, "\(picture.area) and the ticker")
            let ink = Ink(of: picture.canvas)
            #expect(ink.most > 200 && ink.isPremultiplied)
        }
        #expect(list.area.intersection(digits.area).isEmpty, "\(list.area) and \(digits.area)")
        try dump(stage, it, "list-")
        // Without the list, a number has its place beside all the rest.
        _ = loop.handle([.channelList(nil)], now: at(1), wall: ScreenTextTests.evening)
        let alone = try #require(stage.overlays[.number]).area
        #expect(geometry.safe.contains(alone) && alone.intersection(ticker.area).isEmpty)
        for plane in [OverlayPlane.statistics, .banner, .transport, .buffering] {
            let other = try #require(stage.overlays[plane]).area
            #expect(alone.intersection(other).isEmpty, "\(alone) and \(plane) \(other)")
        }
        #expect(stage.overlays[.channelList] == nil && stage.overlays[.volume] == nil)
        #expect(loop.counters.drawErrors == 0)
    }

    private static let choices = sizes.flatMap { size in
        Names.allCases.map { Case(size: size, names: $0, corner: .bottomLeft) }
    }

    /// Name and title of the selected channel are whole, and so is the name of a number; no text lies over another one or
    /// outside its panel, at both ends of the list (at 720p) and between them.
    @Test(arguments: choices) func whatIsChosenIsWhole(_ it: Case) throws {
        let setter = TextSetter()
        let geometry = ScreenGeometry(stage: it.size, safeAreaPercent: 5)
        let label = it.names.channel
        let titles = label.name + (label.now?.title ?? "")
        for selected in it.size == Self.sizes[1] ? [0, 100, 198] : [100] {
            let layout = try OverlayLayout(Self.list(it.names, selected: selected), in: geometry, by: setter)
            let texts = try checkPlaces(layout, setter)
            // The colour of what is written on the accent.
            let chosen = texts.filter { $0.style.colour == geometry.theme.panel }
            #expect(chosen.allSatisfy { !$0.string.hasSuffix("…") })
            for text in chosen {
                guard case .cut(let room) = text.overflow else { continue }
                #expect(try setter.width(of: text.string, style: text.style) <= room, "\(text.string)")
            }
            let written = chosen.map(\.string).joined()
            #expect(written.contains("\(9_800 + selected)"))
            #expect(written.filter { !$0.isWhitespace }.contains(label.name.filter { !$0.isWhitespace }))
            #expect(written.count >= titles.count - 40, "spaces at the ends of lines are not written")
        }
        let layout = try OverlayLayout(NumberPanel(digits: "9900", name: label.name), in: geometry, by: setter)
        let written = try checkPlaces(layout, setter).map(\.string).joined()
        #expect(written.filter { !$0.isWhitespace } == "9900" + label.name.filter { !$0.isWhitespace })
    }

    /// - Returns: the texts, none of which lies over another one or outside the panel.
    private func checkPlaces(_ layout: OverlayLayout, _ setter: TextSetter) throws -> [Text] {
        let panel = PixelRectangle(x: 0, y: 0, size: layout.area.size)
        var texts: [Text] = []
        var places: [PixelRectangle] = []
        for case .text(let text) in layout.drawings {
            var width = try setter.width(of: text.string, style: text.style)
            if case .cut(let room) = text.overflow { width = min(width, room) }
            let place = PixelRectangle(
                x: text.anchor == .topRight ? text.x - width : text.x, y: text.y,
                size: PixelSize(width: width, height: text.style.height))
            #expect(panel.contains(place), "\(text.string): \(place) in \(panel)")
            for (other, area) in zip(texts, places) where !area.intersection(place).isEmpty {
                Issue.record("\(text.string) \(place) and \(other.string) \(area)")
            }
            texts.append(text)
            places.append(place)
        }
        return texts
    }

    /// For people to look at: TOUCHLINE_FACE=directory.
    private func dump(_ stage: Stage, _ it: Case, _ prefix: String = "") throws {
        guard let directory = getenv("TOUCHLINE_FACE") else { return }
        let canvas = CanvasBuffer(width: it.size.width, height: it.size.height)
        canvas.fill(PixelRectangle(x: 0, y: 0, size: it.size), 0xff7f_9f6f)
        for plane in OverlayPlane.allCases where plane != .advertisement && plane != .scheduled {
            if let picture = stage.overlays[plane] {
                canvas.blend(picture.canvas, x: picture.x, y: picture.y, in: picture.area)
            }
        }
        let name = String(cString: directory) + "/\(prefix)\(it.testDescription.replacing(" ", with: "-")).png"
        try DurableFile.write(try PNG.encode(canvas), to: name)
    }
}

extension OverlayPicture {
    var area: PixelRectangle {
        PixelRectangle(x: x, y: y, size: PixelSize(width: canvas.width, height: canvas.height))
    }
}
