// SPDX-License-Identifier: Apache-2.0
import Scene
import TestSupport
import Testing

/// Where the stage is on a screen that is hung otherwise than upright, or that cuts off its edges.
@Suite struct ScreenMountingTests {
    private static let screen = PixelSize(width: 1_920, height: 1_080)

    @Test(
        arguments: [
            (QuarterTurn.upright, 0, PixelSize(width: 1_920, height: 1_080)),
            (.quarter, 0, PixelSize(width: 1_080, height: 1_920)),
            (.half, 5, PixelSize(width: 1_728, height: 972)),
            (.threeQuarters, 5, PixelSize(width: 972, height: 1_728)),
            (.upright, 10, PixelSize(width: 1_536, height: 864)),
        ] as [(QuarterTurn, Int, PixelSize)])
    func theStageFillsTheFreePart(rotation: QuarterTurn, percent: Int, stage: PixelSize) {
        let mounting = ScreenMounting(rotation: rotation, overscanPercent: percent)
        #expect(mounting.stage(on: Self.screen) == stage)
        let (part, area) = mounting.share(of: stage, on: Self.screen)
        #expect(part == PixelRectangle(x: 0, y: 0, size: stage))
        #expect(area.x == 1_920 * percent / 100 && area.y == 1_080 * percent / 100)
        #expect(area.size == rotation.rotated(stage))
    }

    /// The upper left corner of a picture goes round with the clock.
    @Test func cornersGoRound() {
        let picture = PixelSize(width: 5, height: 3)
        let corner = PixelRectangle(x: 0, y: 0, width: 1, height: 1)
        let wide = PixelRectangle(x: 3, y: 1, width: 2, height: 1)
        #expect(QuarterTurn.upright.rotated(wide, in: picture) == wide)
        #expect(QuarterTurn.quarter.rotated(corner, in: picture) == PixelRectangle(x: 2, y: 0, width: 1, height: 1))
        #expect(QuarterTurn.quarter.rotated(wide, in: picture) == PixelRectangle(x: 1, y: 3, width: 1, height: 2))
        #expect(QuarterTurn.half.rotated(corner, in: picture) == PixelRectangle(x: 4, y: 2, width: 1, height: 1))
        #expect(QuarterTurn.half.rotated(wide, in: picture) == PixelRectangle(x: 0, y: 1, width: 2, height: 1))
        let last = QuarterTurn.threeQuarters
        #expect(last.rotated(corner, in: picture) == PixelRectangle(x: 0, y: 4, width: 1, height: 1))
        #expect(last.rotated(wide, in: picture) == PixelRectangle(x: 1, y: 0, width: 1, height: 2))
    }

    /// On a screen of any size: in its middle, as much as it has room for, and turned back it is a part of the stage.
    @Test(arguments: 1...300 as ClosedRange<UInt64>) func properties(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func side() -> Int { .random(in: 64...4_096, using: &random) }
        let rotation = QuarterTurn.allCases[Int(seed % 4)]
        let percent = Int.random(in: 0...10, using: &random)
        let mounting = ScreenMounting(rotation: rotation, overscanPercent: percent)
        let stage = mounting.stage(on: PixelSize(width: side(), height: side()))
        let screen = PixelSize(width: side(), height: side())
        let (part, area) = mounting.share(of: stage, on: screen)
        let rotated = rotation.rotated(stage)
        #expect(area.size.width == min(rotated.width, screen.width))
        #expect(area.size.height == min(rotated.height, screen.height))
        #expect(abs(screen.width - area.size.width - 2 * area.x) <= 1)
        #expect(abs(screen.height - area.size.height - 2 * area.y) <= 1)
        let (left, top) = (part.x, part.y)
        #expect(left >= 0 && left + part.size.width <= stage.width)
        #expect(top >= 0 && top + part.size.height <= stage.height)
        let onScreen = rotation.rotated(part, in: stage)
        #expect(onScreen.size == area.size)
        #expect(rotation.inverse.rotated(onScreen, in: rotated) == part)
    }
}

extension PixelRectangle {
    fileprivate init(x: Int, y: Int, width: Int, height: Int) {
        self.init(x: x, y: y, size: PixelSize(width: width, height: height))
    }
}
