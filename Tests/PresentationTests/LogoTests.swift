// SPDX-License-Identifier: Apache-2.0
import Codecs
import Media
import Scene
import System
import Testing

@testable import Presentation

@Suite final class LogoTests {
    private let directory = "/tmp/touchline-logo-\(SystemClock.monotonic().nanoseconds)"

    init() throws { try DurableFile.makeDirectory(directory) }

    deinit {
        for name in (try? DurableFile.names(in: directory)) ?? [] { DurableFile.remove(directory + "/" + name) }
        DurableFile.removeDirectory(directory)
    }

    private func file(_ width: Int, _ height: Int) throws -> String {
        let canvas = CanvasBuffer(width: width, height: height)
        canvas.fill(blue: 10, green: 20, red: 250)
        let path = "\(directory)/\(width)x\(height).png"
        try DurableFile.write(try PNG.encode(canvas), to: path)
        return path
    }

    @Test func aLogoKeepsItsShape() throws {
        let logo = try Logo(reading: try file(200, 100))
        #expect(logo.size(in: PixelSize(width: 60, height: 60)) == PixelSize(width: 60, height: 30))
        #expect(logo.size(in: PixelSize(width: 500, height: 20)) == PixelSize(width: 40, height: 20))
        #expect(logo.size(in: PixelSize(width: 500, height: 400)) == PixelSize(width: 500, height: 250))
        for size in [
            PixelSize(width: 40, height: 20), PixelSize(width: 400, height: 200), PixelSize(width: 1, height: 1),
        ] {
            let picture = logo.scaled(to: size)
            #expect(picture.width == size.width && picture.height == size.height)
            #expect(Array(picture.bytes[..<4]) == [10, 20, 250, 255])
        }
    }

    /// Each is refused with the reason, and a text is drawn without it.
    @Test func whatIsNoLogoIsRefused() throws {
        let text = directory + "/text.png"
        try DurableFile.write(Array("no picture".utf8), to: text)
        let long = directory + "/long.png"
        try DurableFile.write([UInt8](repeating: 0, count: Logo.largestFile + 1), to: long)
        let cut = directory + "/cut.png"
        try DurableFile.write(Array(try #require(try DurableFile.read(try file(64, 64))).prefix(60)), to: cut)
        let wide = try file(2_000, 4)
        for path in [text, long, cut, wide, directory, directory + "/none.png"] {
            let problem = try #require(LogoProblem.of(path))
            #expect(problem.path == path && !problem.reason.isEmpty)
        }
        #expect(LogoProblem.of(wide)?.reason == "it has 2000 by 4 pixels; expected at most 1024 by 1024")
        #expect(LogoProblem.of(try file(1_024, 1_024)) == nil)
        var problems: [LogoProblem] = []
        let shelf = LogoShelf { problems.append($0) }
        #expect(shelf.logo(wide) == nil && shelf.logo(wide) == nil && problems.count == 1)
        shelf.forget()
        #expect(shelf.logo(wide) == nil && problems.count == 2)
    }

    /// SVM-96: the slate has the venue's colours and logo, and goes on without a logo that is gone.
    @Test func slatesHaveTheTheme() throws {
        var painter = SlatePainter()
        let canvas = CanvasBuffer(width: 640, height: 360)
        var theme = ScreenTheme(panel: RGBColour(red: 80, green: 0, blue: 40))
        theme.logo = try file(128, 64)
        func count(_ colour: (UInt8, UInt8, UInt8)) -> Int {
            var count = 0
            for row in 0..<canvas.height {
                for column in 0..<canvas.width {
                    let pixel = row * canvas.stride + column * 4
                    let (blue, green, red) = colour
                    if canvas.bytes[pixel] == blue, canvas.bytes[pixel + 1] == green, canvas.bytes[pixel + 2] == red {
                        count += 1
                    }
                }
            }
            return count
        }
        let slate = Slate(title: "Bar 2", lines: ["No channels heard"], footer: ["Box 6f1c"], theme: theme)
        try painter.draw(slate, on: canvas)
        #expect(count((10, 20, 250)) > 1_000 && count((40, 0, 80)) > 150_000 && count((255, 255, 255)) > 100)
        var other = slate
        other.theme.logo = directory + "/none.png"
        try painter.draw(other, on: canvas)
        #expect(count((10, 20, 250)) == 0 && count((255, 255, 255)) > 100)
    }

    /// The banner is as much wider.
    @Test func theBannerHasTheLogoOfItsChannel() throws {
        let setter = TextSetter()
        let geometry = ScreenGeometry(stage: PixelSize(width: 1_280, height: 720), safeAreaPercent: 5)
        let label = ScreenText.ChannelLabel(number: 7, name: "Arena", logo: try file(200, 100))
        let banner = ChannelBanner(label, at: ScreenTextTests.evening, in: .utc)
        let bare = try OverlayLayout(banner, nil, in: geometry, by: setter)
        let logo = try Logo(reading: try #require(banner.logo))
        let layout = try OverlayLayout(banner, logo, in: geometry, by: setter)
        let area = try #require(layout.logo).1
        #expect(layout.width == bare.width + area.size.width + geometry.unit * 2)
        #expect(PixelRectangle(x: 0, y: 0, size: layout.area.size).contains(area))
    }
}
