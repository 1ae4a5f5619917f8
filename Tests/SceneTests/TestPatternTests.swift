// SPDX-License-Identifier: Apache-2.0
import Scene
import TestSupport
import Testing

@Suite struct TestPatternTests {
    private static let fullHD = PixelSize(width: 1_920, height: 1_080)

    /// The colour of a pixel: that of the last mark that covers it.
    private func colour(_ pattern: TestPattern, _ x: Int, _ y: Int) -> UInt32 {
        let pixel = PixelRectangle(x: x, y: y, size: PixelSize(width: 1, height: 1))
        return (pattern.marks.last { $0.area.contains(pixel) }?.colour ?? 0) & 0xffffff
    }

    /// The outermost pixels are white and the next ones black, but for the arrowheads.
    @Test(arguments: [fullHD, PixelSize(width: 640, height: 360), PixelSize(width: 1_080, height: 1_920)])
    func theBorderIsTheOutermostPixel(size: PixelSize) {
        let pattern = TestPattern(size)
        for x in stride(from: 0, to: size.width, by: 7) {
            #expect(colour(pattern, x, 0) == 0xffffff && colour(pattern, x, size.height - 1) == 0xffffff)
        }
        for y in stride(from: 0, to: size.height, by: 7) {
            #expect(colour(pattern, 0, y) == 0xffffff && colour(pattern, size.width - 1, y) == 0xffffff)
        }
        for (x, y) in [(1, 1), (size.width - 2, 1), (1, size.height - 2), (size.width - 2, size.height - 2)] {
            #expect(colour(pattern, x, y) == 0)
        }
        // The tips of the arrowheads grow inwards.
        #expect(colour(pattern, size.width / 2, 1) == 0xffffff && colour(pattern, 1, size.height / 2) == 0xffffff)
        #expect(colour(pattern, size.width / 2 - 3, 2) != 0xffffff)
    }

    @Test func barsAndGreys() {
        let pattern = TestPattern(Self.fullHD)
        let (bars, ramp) = (pattern.bars, pattern.ramp)
        let y = bars.y + 4
        let seen = (0..<8).map { colour(pattern, bars.x + (2 * $0 + 1) * bars.size.width / 16, y) }
        #expect(seen == [0xbfbfbf, 0xbfbf00, 0x00bfbf, 0x00bf00, 0xbf00bf, 0xbf0000, 0x0000bf, 0])
        #expect(seen == ColourBars.colours)
        let greys = (0..<TestPattern.greySteps).map { step in
            colour(pattern, pattern.columns(ofGrey: step).lowerBound + 2, ramp.bottom - 4)
        }
        #expect(greys.first == 0 && greys.last == 0xffffff && greys[5] == 0x7f7f7f && greys == greys.sorted())
        let middle = ramp.y + ramp.size.height / 2
        let (black, white) = (pattern.columns(ofGrey: 0), pattern.columns(ofGrey: 10))
        #expect(colour(pattern, (black.lowerBound + black.upperBound) / 2, middle) == 0x050505)
        #expect(colour(pattern, (white.lowerBound + white.upperBound) / 2, middle) == 0xfafafa)
    }

    /// The columns of the bars are those that the head-end's card has, of whatever width.
    @Test(arguments: [8, 13, 320, 641, 1_920]) func barsAgreeColumnByColumn(width: Int) {
        for (index, colour) in ColourBars.colours.enumerated() {
            for column in ColourBars.columns(of: index, in: width) {
                #expect(ColourBars.colour(ofColumn: column, of: width) == colour)
            }
        }
        let counts = (0..<8).map { ColourBars.columns(of: $0, in: width).count }
        #expect(counts.reduce(0, +) == width)
    }

    @Test func gratingsAreOnePixelWide() {
        let pattern = TestPattern(Self.fullHD)
        let (vertical, horizontal) = (pattern.verticalLines, pattern.horizontalLines)
        for step in 0..<20 {
            let expected: UInt32 = step % 2 == 0 ? 0xffffff : 0
            #expect(colour(pattern, vertical.x + step, vertical.y + 30) == expected)
            #expect(colour(pattern, horizontal.x + 30, horizontal.y + step) == expected)
        }
    }

    /// As wide as it is high, in pixels.
    @Test(arguments: [fullHD, PixelSize(width: 1_280, height: 720), PixelSize(width: 720, height: 1_280)])
    func theCircleIsRound(size: PixelSize) {
        let pattern = TestPattern(size)
        let (x, y, radius) = (size.width / 2, size.height / 2, pattern.radius)
        for (dx, dy) in [(-radius, 0), (radius - 1, 0), (0, -radius), (0, radius - 1)] {
            #expect(colour(pattern, x + dx, y + dy) == 0xffffff)
        }
        let outside = [(-radius - 1, 0), (radius, 0), (0, -radius - 1), (0, radius)]
        #expect(outside.allSatisfy { colour(pattern, x + $0.0, y + $0.1) != 0xffffff })
    }

    /// Of any size, all marks lie within the picture and the first covers it.
    @Test(arguments: 1...200 as ClosedRange<UInt64>) func properties(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let limit = seed % 2 == 0 ? 40 : 2_000
        let size = PixelSize(
            width: .random(in: 1...limit, using: &random), height: .random(in: 1...limit, using: &random))
        let pattern = TestPattern(size)
        let whole = PixelRectangle(x: 0, y: 0, size: size)
        #expect(pattern.marks.first?.area == whole)
        #expect(pattern.marks.allSatisfy { whole.contains($0.area) && !$0.area.isEmpty && $0.colour >> 24 == 0xff })
        #expect(whole.contains(pattern.texts) && whole.contains(pattern.motion))
    }
}
