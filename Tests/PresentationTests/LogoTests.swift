// SPDX-License-Identifier: Apache-2.0
import Codecs
import Media
import Scene
import System
import Testing
import Time

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
            var problem: LogoProblem?
            let shelf = LogoShelf { problem = $0 }
            #expect(shelf.logo(path) == nil)
            #expect(problem?.path == path && problem?.reason.isEmpty == false)
        }
        var problems: [LogoProblem] = []
        let shelf = LogoShelf { problems.append($0) }
        #expect(shelf.logo(try file(1_024, 1_024)) != nil && problems.isEmpty)
        #expect(shelf.logo(wide) == nil && shelf.logo(wide) == nil && problems.count == 1)
        #expect(problems.last?.reason == "it has 2000 by 4 pixels; expected at most 1024 by 1024")
        shelf.forget()
        #expect(shelf.logo(wide) == nil && problems.count == 2)
    }

    /// SVM-96: the slate has the venue's colours and logo, and goes on without a logo that is gone.
    @Test func slatesHaveTheTheme() throws {
        let painter = SlatePainter()
        let canvas = CanvasBuffer(width: 640, height: 360)
        var theme = ScreenTheme(panel: RGBColour(red: 80, green: 0, blue: 40))
        let logo = try Logo(reading: try file(128, 64))
        theme.logo = logo.path
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
        try painter.draw(slate, logo, on: canvas)
        #expect(count((10, 20, 250)) > 1_000 && count((40, 0, 80)) > 150_000 && count((255, 255, 255)) > 100)
        var other = slate
        other.theme.logo = directory + "/none.png"
        try painter.draw(other, logo, on: canvas)
        #expect(count((10, 20, 250)) == 0 && count((255, 255, 255)) > 100, "it is the logo of another theme")
        try painter.draw(slate, nil, on: canvas)
        #expect(count((10, 20, 250)) == 0 && count((255, 255, 255)) > 100)
    }

    /// The text loop reads the file of the slates' logo, once for each change of the settings, and gives the stage the
    /// picture; a stage that refuses it is given it again.
    @Test func theStageIsGivenThePicture() throws {
        var given: [Logo?] = []
        var problems: [String] = []
        var refuses = true
        let loop = ScreenTextLoop(
            ScreenText.Policy(), ScreenGeometry(stage: PixelSize(width: 640, height: 360), safeAreaPercent: 5),
            stage: { command in
                guard case .setLogo(let logo) = command else { return true }
                given.append(logo)
                return !refuses
            }, failed: { problems.append("\($0)") })
        func handle(_ inputs: [ScreenText.Input]) {
            _ = loop.handle(inputs, now: Monotonic(nanoseconds: 1_000_000_000), wall: ScreenTextTests.evening)
        }
        var options = ScreenTextEngine.Options()
        handle([.options(options)])
        #expect(given.isEmpty, "there is none to be taken away")
        let path = try file(128, 64)
        options.theme.logo = path
        handle([.options(options)])
        DurableFile.remove(path)
        refuses = false
        handle([])
        handle([])
        #expect(given.map { $0?.path } == [path, path] && problems.isEmpty, "it was read once")
        handle([.options(options)])
        let isTakenAway = given.last.map { $0 == nil } ?? false
        #expect(given.count == 3 && isTakenAway)
        #expect(problems == ["logo \(path): there is no such file"])
        handle([.options(ScreenTextEngine.Options())])
        #expect(given.count == 3)
    }

    /// A slate that is on the screen is drawn again, a picture is not.
    @Test func aShownSlateGetsItsLogo() throws {
        let logo = try Logo(reading: try file(64, 64))
        let contents = StageContents()
        let (slated, bare) = (RegionState(name: "a", slot: 0), RegionState(name: "b", slot: 1))
        contents.regions = [slated, bare]
        slated.show(Slate(title: "Bar 2", lines: []))
        var counters = StageCounters()
        slated.settle(Horizon.Outcome(instant: Monotonic(nanoseconds: 0)), &counters) { _ in }
        #expect(!slated.hasChange)
        contents.setLogo(logo)
        #expect(slated.hasChange && !bare.hasChange && slated.logo === logo && bare.logo === logo)
        slated.settle(Horizon.Outcome(instant: Monotonic(nanoseconds: 0)), &counters) { _ in }
        contents.setLogo(logo)
        #expect(!slated.hasChange && counters.slatesShown == 2)
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
