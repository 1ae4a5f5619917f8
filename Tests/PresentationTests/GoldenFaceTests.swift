// SPDX-License-Identifier: Apache-2.0
import Codecs
import Foundation
import Media
import Scene
import System
import Testing
import Time

@testable import Presentation

/// The pictures of the README, and the same over a dark and a light picture, which are what this build draws.
/// `TOUCHLINE_WRITE_FACE=1` writes them anew.
@Suite struct GoldenFaceTests {
    enum Picture: String, CaseIterable, Sendable { case banner, transport, statistics, list, emergency, slate }

    /// What lies under the texts. A slate lies over nothing.
    enum Ground: String, CaseIterable, Sendable { case pitch, dark, light }

    struct Case: CustomTestStringConvertible, Sendable {
        let picture: Picture
        let ground: Ground
        var testDescription: String { ground == .pitch ? picture.rawValue : "\(picture.rawValue)-\(ground.rawValue)" }
    }

    private static let cases = Ground.allCases.flatMap { ground in
        Picture.allCases.filter { ground == .pitch || $0 != .slate }.map { Case(picture: $0, ground: ground) }
    }

    private static let size = PixelSize(width: 960, height: 540)
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("board/face")

    @Test(arguments: cases) func isAsCommitted(_ it: Case) throws {
        let canvas = try draw(it.picture, over: it.ground)
        let file = Self.folder.appendingPathComponent("\(it.testDescription).png")
        if ProcessInfo.processInfo.environment["TOUCHLINE_WRITE_FACE"] != nil {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try Data(try PNG.encode(canvas)).write(to: file)
        }
        let kept = try PNG.decode([UInt8](try Data(contentsOf: file)))
        #expect(kept.width == canvas.width && kept.height == canvas.height)
        let (mean, most) = difference(canvas, kept)
        // Other versions of FreeType and HarfBuzz draw edges a little differently.
        #expect(mean < 0.7 && most < 26, "\(it.testDescription): \(mean), \(most)")
    }

    /// The mean and the greatest difference of the means of blocks of 12 by 12 pixels, of 255.
    private func difference(_ one: borrowing CanvasBuffer, _ two: borrowing CanvasBuffer) -> (
        mean: Double, most: Double
    ) {
        let block = 12
        var (sum, count, most) = (0.0, 0.0, 0.0)
        for top in stride(from: 0, to: one.height, by: block) {
            for left in stride(from: 0, to: one.width, by: block) {
                for channel in 0..<3 {
                    var total = 0
                    for y in top..<min(top + block, one.height) {
                        for x in left..<min(left + block, one.width) {
                            total += Int(one.bytes[y * one.stride + x * 4 + channel])
                            total -= Int(two.bytes[y * two.stride + x * 4 + channel])
                        }
                    }
                    let mean = abs(Double(total)) / Double(block * block)
                    (sum, count, most) = (sum + mean, count + 1, max(most, mean))
                }
            }
        }
        return (sum / count, most)
    }

    // MARK: Scenes

    private func draw(_ picture: Picture, over ground: Ground) throws -> CanvasBuffer {
        let canvas = CanvasBuffer(width: Self.size.width, height: Self.size.height)
        let directory = try TemporaryDirectory()
        let logo = directory.path + "/logo.png"
        try DurableFile.write(try PNG.encode(Self.makeLogo()), to: logo)
        defer { DurableFile.remove(logo) }
        guard picture != .slate else {
            let painter = SlatePainter()
            var theme = ScreenTheme()
            theme.logo = logo
            try painter.draw(
                Slate(
                    title: "Bar 2", lines: ["No channels heard on 239.255.1.1:9875"],
                    footer: ["Box 6f1c0f6e-4a3c-4e0a-9d0e-0a52b0f3c1aa", "Address 10.0.3.17", "Version 0.1.0"],
                    theme: theme), try Logo(reading: logo), on: canvas)
            return canvas
        }
        switch ground {
        case .pitch: Self.paintPitch(on: canvas)
        case .dark: Self.paintGrey(from: 4, on: canvas)
        case .light: Self.paintGrey(from: 223, on: canvas)
        }
        let geometry = ScreenGeometry(stage: Self.size, safeAreaPercent: 5)
        var overlays: [OverlayPlane: OverlayPicture] = [:]
        let loop = ScreenTextLoop(
            ScreenText.Policy(), geometry,
            stage: { command in
                if case .setOverlay(let overlay, let plane) = command { overlays[plane] = overlay }
                return true
            }, failed: { Issue.record("\($0)") })
        _ = loop.handle(
            Self.inputs(picture, logo: logo), now: Monotonic(nanoseconds: 1_000_000_000), wall: ScreenTextTests.evening)
        for plane in OverlayPlane.allCases {
            if let overlay = overlays[plane] {
                canvas.blend(overlay.canvas, x: overlay.x, y: overlay.y, in: overlay.area)
            }
        }
        return canvas
    }

    private static func inputs(_ picture: Picture, logo: String) -> [ScreenText.Input] {
        var label = ScreenTextTests.label
        (label.name, label.logo) = ("Arena Sports", logo)
        label.now?.title = "Town against Country"
        label.next?.title = "The evening's goals"
        switch picture {
        case .slate: return []
        case .banner: return [.channelTuned(label)]
        case .transport:
            return [
                .channelTuned(label),
                .transport(.init(isPaused: true, place: .live(behind: .seconds(20), available: .seconds(30)))),
            ]
        case .statistics: return [.statistics(statistics), .set(.stats, .on)]
        case .list: return [.channelList(list)]
        case .emergency:
            return [
                .channelTuned(label),
                .message(
                    ScreenMessage("Please leave the hall by the nearest door.\nUse no lifts.", isEmergency: true),
                    span: nil),
            ]
        }
    }

    private static var list: ChannelListPanel {
        let names = [
            "Arena Sports", "City News", "الرياضية", "Cinema One", "Cinema Two", "Town Radio", "Kitchen", "Weather",
            "Parliament", "Music", "Children", "Nature", "History", "Signs",
        ]
        return ChannelListPanel(
            heading: "Channels",
            rows: names.enumerated().map { index, name in
                ChannelListPanel.Row(
                    number: index + 1, name: name, now: index % 3 == 0 ? "Town against Country" : nil,
                    isFavourite: index == 1)
            }, selected: 3)
    }

    private static var statistics: StatisticsPanel {
        func plot(_ value: (Int) -> Int) -> StatisticsPanel.Plot {
            StatisticsPanel.Plot((0..<60).map(value), limit: 40)
        }
        return StatisticsPanel(
            heading: ["Bar 2 · 10.0.3.17", "6f1c0f6e-4a3c-4e0a-9d0e-0a52b0f3c1aa · 0.1.0 (45e68ba1f0c2)"],
            [
                .init(
                    "Channel",
                    [
                        .init(.init("Channel", "Arena Sports")), .init(.init("Video", "h264, PID 256")),
                        .init(.init("Rate", "6.2 Mbit/s")),
                    ]),
                .init("WiFi", [.init(.init("Signal", "−68 dBm", .warning), plot { 44 + $0 * 7 % 11 })]),
                .init(
                    "Network",
                    [
                        .init(.init("Lost, before repair", "1.20 %"), plot { $0 % 9 == 0 ? 60 : $0 * 5 % 17 }),
                        .init(.init("Lost, after repair", "0.03 %", .fault), plot { $0 == 48 || $0 == 49 ? 90 : 0 }),
                    ]),
                .init(
                    "Picture",
                    [.init(.init("Shown", "50 a second")), .init(.init("Late by", "3.1 ms"), plot { 8 + $0 % 3 })]),
                .init("Sound", [.init(.init("After the picture", "4.0 ms"), plot { 52 + $0 % 4 })]),
            ])
    }

    /// A pitch from above, with more light at one end.
    private static func paintPitch(on canvas: borrowing CanvasBuffer) {
        for y in 0..<canvas.height {
            for x in 0..<canvas.width {
                let stripe = x * 12 / canvas.width % 2 == 0 ? 12 : 0
                let light = 90 + 60 * x / canvas.width
                let dx = x - canvas.width / 2, dy = y - canvas.height / 2
                let distance = dx * dx + dy * dy
                let isLine = abs(dx) < 3 || (9_600...10_800).contains(distance) || y < 4 || y >= canvas.height - 4
                let place = y * canvas.stride + x * 4
                canvas.bytes[place] = UInt8(isLine ? 210 : light / 3)
                canvas.bytes[place + 1] = UInt8(isLine ? 220 : light + stripe)
                canvas.bytes[place + 2] = UInt8(isLine ? 210 : light / 3 + 10)
                canvas.bytes[place + 3] = 255
            }
        }
    }

    /// From the left to the right 28 levels lighter.
    private static func paintGrey(from level: UInt32, on canvas: borrowing CanvasBuffer) {
        for x in 0..<canvas.width {
            let grey = level + UInt32(28 * x / canvas.width)
            let column = PixelRectangle(x: x, y: 0, size: PixelSize(width: 1, height: canvas.height))
            canvas.fill(column, 0xff00_0000 | grey << 16 | grey << 8 | grey)
        }
    }

    /// A ring.
    private static func makeLogo() -> CanvasBuffer {
        let canvas = CanvasBuffer(width: 96, height: 96)
        canvas.fill(PixelRectangle(x: 0, y: 0, size: PixelSize(width: 96, height: 96)), 0xff10_2038)
        for y in 0..<96 {
            for x in 0..<96 {
                let distance = (x - 48) * (x - 48) + (y - 48) * (y - 48)
                guard (900...2_000).contains(distance) else { continue }
                let place = y * canvas.stride + x * 4
                (canvas.bytes[place], canvas.bytes[place + 1], canvas.bytes[place + 2]) = (64, 160, 255)
            }
        }
        return canvas
    }
}
