// SPDX-License-Identifier: Apache-2.0
import Display
import Media
import Scene
import Testing

/// What a frame of the compositor is, by arithmetic.
@Suite struct GLESCompositorTests {
    private static let (width, height) = (64, 48)
    private static let all = PixelRectangle(0, 0, width, height)

    /// - Returns: what `body` drew.
    private func stage(_ body: (GLESCompositor) throws -> Void) throws -> Surface? {
        let surface = Surface(Self.width, Self.height)
        var isDrawn = false
        try Surfaceless.withCompositor(Self.width, Self.height) { compositor in
            try compositor.begin()
            try body(compositor)
            try compositor.readBack(into: surface.canvas)
            isDrawn = true
        }
        return isDrawn ? surface : nil
    }

    struct Colour: Sendable {
        var yuv: (Double, Double, Double)
        var rgb: (Int, Int, Int)
    }

    /// BT.709's.
    static let colours: [Colour] = [
        Colour(yuv: (0, 0.5, 0.5), rgb: (0, 0, 0)),
        Colour(yuv: (1, 0.5, 0.5), rgb: (255, 255, 255)),
        Colour(yuv: (0.2126, 0.3854, 1), rgb: (255, 0, 0)),
        Colour(yuv: (0.7152, 0.1146, 0.0458), rgb: (0, 255, 0)),
        Colour(yuv: (0.0722, 1, 0.4542), rgb: (0, 0, 255)),
    ]

    @Test(arguments: colours) func coloursAreThoseOfTheMatrix(colour: Colour) throws {
        let (code, expected) = (colour.yuv, colour.rgb)
        for format in VideoFrame.PixelFormat.allCases {
            if format.planeCount == 1, code.1 != 0.5 { continue }
            for isFullRange in [false, true] {
                let picture = TestPicture(
                    format, width: 16, height: 16, isFullRange: isFullRange, luma: { _, _ in code.0 },
                    blue: { _, _ in code.1 }, red: { _, _ in code.2 })
                let drawn = try stage { compositor in
                    picture.withFrame {
                        compositor.draw($0, at: Placement(picture, at: Self.all), slot: 0, version: 0)
                    }
                }
                guard let pixel = drawn?.canvas.pixel(20, 20) else { return }
                let apart = max(
                    abs(pixel.red - expected.0), abs(pixel.green - expected.1), abs(pixel.blue - expected.2))
                #expect(apart <= 2, "\(format) \(isFullRange) \(pixel)")
            }
        }
    }

    /// Whole turns by pixels of their own colour: none is mixed with its neighbour.
    @Test(arguments: QuarterTurn.allCases) func turns(rotation: QuarterTurn) throws {
        func shade(_ x: Int, _ y: Int) -> Double {
            let step = (x * 37 + y * 101) % 220
            return Double(step) / 219
        }
        let picture = TestPicture(
            .yuv444p, width: 20, height: 12, luma: { x, y in shade(Int(x * 20), Int(y * 12)) },
            blue: { _, _ in 0.5 }, red: { _, _ in 0.5 })
        let size = rotation.isSideways ? (12, 20) : (20, 12)
        let place = PixelRectangle(7, 5, size.0, size.1)
        let drawn = try stage { compositor in
            picture.withFrame {
                compositor.draw($0, at: Placement(picture, at: place, rotation: rotation), slot: 0, version: 0)
            }
        }
        guard let drawn else { return }
        var wrong = 0
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let (column, row) = (x - place.x, y - place.y)
                let isInside = (0..<size.0).contains(column) && (0..<size.1).contains(row)
                let from =
                    switch rotation {
                    case .upright: (column, row)
                    case .quarter: (row, 11 - column)
                    case .half: (19 - column, 11 - row)
                    case .threeQuarters: (19 - row, column)
                    }
                let expected = isInside ? Int((shade(from.0, from.1) * 255).rounded()) : 0
                if abs(drawn.canvas.pixel(x, y).green - expected) > 1 { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }

    /// The crop's edges count, not what lies beyond them.
    @Test func onlyTheCropIsShown() throws {
        let picture = TestPicture(
            width: 64, height: 64, luma: { x, y in x > 0.25 && x < 0.75 && y > 0.25 && y < 0.75 ? 1 : 0 },
            blue: { x, _ in x > 0.25 && x < 0.75 ? 0.5 : 1 }, red: { _, _ in 0.5 })
        for destination in [Self.all, PixelRectangle(0, 0, 32, 32), PixelRectangle(3, 1, 5, 7)] {
            let drawn = try stage { compositor in
                let crop = PixelRectangle(16, 16, 32, 32)
                let placement = Placement(crop: crop, destination: destination)
                picture.withFrame { compositor.draw($0, at: placement, slot: 0, version: 0) }
            }
            guard let drawn else { return }
            for y in destination.y..<destination.y + destination.size.height {
                for x in destination.x..<destination.x + destination.size.width {
                    let pixel = drawn.canvas.pixel(x, y)
                    #expect(min(pixel.red, pixel.green, pixel.blue) >= 254)
                }
            }
        }
    }

    /// A slope of colour whose sample `n` says n is that of column 2n of luma, but half a column further in the JPEG
    /// family.
    @Test func chromaIsWhereItsFormatHasIt() throws {
        for (format, shift) in [(VideoFrame.PixelFormat.yuv420p, 0.0), (.nv12, 0), (.yuvj420p, 0.5)] {
            let picture = TestPicture(
                format, width: 64, height: 48, isFullRange: true, luma: { _, _ in 0.5 }, blue: { _, _ in 0.5 },
                red: { x, _ in 0.25 + ((x * 32).rounded(.down) * 2 + shift) / 255 })
            let drawn = try stage { compositor in
                picture.withFrame {
                    compositor.draw($0, at: Placement(picture, at: Self.all), slot: 0, version: 0)
                }
            }
            guard let drawn else { return }
            for x in 2..<62 {
                let expected = 127.5 + 1.5748 * (0.25 * 255 + Double(x) - 127.5)
                #expect(abs(Double(drawn.canvas.pixel(x, 24).red) - max(0, expected)) <= 2, "\(format) \(x)")
            }
        }
    }

    @Test func pixelsBesideAreMixedByOpacity() throws {
        let white = TestPicture.plain(width: 16, height: 16, luma: 1)
        let drawn = try stage { compositor in
            compositor.fill(Self.all, premultiplied: 0xff20_4060)
            white.withFrame {
                let place = PixelRectangle(0, 0, 16, 16)
                compositor.draw($0, at: Placement(white, at: place, opacity: 100), slot: 0, version: 0)
            }
            compositor.fill(PixelRectangle(32, 0, 16, 16), premultiplied: 0x8040_2010)
        }
        guard let drawn else { return }
        func mixed(_ old: Int, _ new: Int, _ weight: Int) -> Int { (old * (255 - weight) + new * weight + 127) / 255 }
        let (first, second, third) = (drawn.canvas.pixel(8, 8), drawn.canvas.pixel(40, 8), drawn.canvas.pixel(24, 24))
        #expect(abs(first.red - mixed(0x20, 255, 100)) <= 1 && abs(first.blue - mixed(0x60, 255, 100)) <= 1)
        #expect(abs(second.red - (0x40 + mixed(0x20, 0, 0x80))) <= 1)
        #expect(abs(second.green - (0x20 + mixed(0x40, 0, 0x80))) <= 1)
        #expect(third == (0x20, 0x40, 0x60))
    }

    @Test func canvasesAreDrawnPixelByPixelAndCutOff() throws {
        let overlay = CanvasBuffer(width: 21, height: 9)
        for y in 0..<9 { for x in 0..<21 { overlay.set(x, y, x * 5, y * 10, (x + y) * 4, alpha: 200) } }
        let clip = PixelRectangle(0, 2, 10, 5)
        let drawn = try stage { compositor in
            compositor.fill(Self.all, premultiplied: 0xff64_6464)
            compositor.draw(overlay, x: 50, y: 44, slot: 1, isChanged: true)
            compositor.draw(overlay, x: -4, y: -1, in: clip, slot: 2, isChanged: true)
            compositor.draw(overlay, isOpaque: true, x: 20, y: 20, slot: 1, isChanged: false)
        }
        guard let drawn else { return }
        var wrong = 0
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                var expected = (red: 100, green: 100, blue: 100)
                func over(_ x: Int, _ y: Int, _ rest: Int) {
                    guard (0..<21).contains(x), (0..<9).contains(y) else { return }
                    func below(_ value: Int) -> Int { (value * rest + 127) / 255 }
                    expected = (
                        (x + y) * 4 + below(expected.red), y * 10 + below(expected.green),
                        x * 5 + below(expected.blue)
                    )
                }
                over(x - 50, y - 44, 55)
                if x < 10, (2..<7).contains(y) { over(x + 4, y + 1, 55) }
                over(x - 20, y - 20, 0)
                let pixel = drawn.canvas.pixel(x, y)
                let apart = max(
                    abs(pixel.red - expected.red), abs(pixel.green - expected.green), abs(pixel.blue - expected.blue))
                if apart > 1 { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }

    @Test func whatWasKeptFadesOut() throws {
        let drawn = try stage { compositor in
            compositor.drawKept(opacity: 255)  // nothing was kept
            compositor.fill(Self.all, premultiplied: 0xffc8_0000)
            compositor.keep()
            compositor.fill(Self.all, premultiplied: 0xff00_00c8)
            compositor.drawKept(opacity: 51)
        }
        guard let pixel = drawn?.canvas.pixel(10, 10) else { return }
        #expect(abs(pixel.red - 40) <= 1 && pixel.green == 0 && abs(pixel.blue - 160) <= 1)
    }
}
