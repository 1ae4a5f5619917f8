// SPDX-License-Identifier: Apache-2.0
import Scene
import Testing

@Suite struct LayoutStrategyTests {
    private static let bar = LayoutStrategy(
        name: "bar", layer: .advertisement, below: SceneArea(x: 0, y: 0, width: 7_500, height: 10_000),
        regions: [Region(name: "ad", area: SceneArea(x: 7_500, y: 0, width: 2_500, height: 10_000))])
    private static let alarm = LayoutStrategy(
        name: "alarm", layer: .emergency, below: SceneArea(x: 0, y: 0, width: 10_000, height: 8_000),
        regions: [Region(name: "exit", area: SceneArea(x: 0, y: 8_000, width: 10_000, height: 2_000), order: -100)])
    private static let menu = LayoutStrategy(
        name: "menu", layer: .controls, regions: [Region(name: "list", order: 100)])

    private func stack(_ strategies: LayoutStrategy...) -> StrategyStack {
        var stack = StrategyStack()
        for strategy in strategies { stack.putOn(strategy) }
        return stack
    }

    /// PLAY-34: none is the standard view, and identity equals none.
    @Test(arguments: StageLayout.builtIn) func identityIsAsNone(layout: StageLayout) {
        #expect(StrategyStack().compose(layout) == layout)
        #expect(stack(.identity).compose(layout) == layout)
    }

    /// PLAY-33: video, controls, advertisement, emergency, in whichever order they come and however their regions say.
    @Test(arguments: [0, 1, 2]) func theHighestHasTheLastWord(rotation: Int) {
        let all = [Self.alarm, Self.bar, Self.menu]
        var stack = StrategyStack()
        for index in all.indices { stack.putOn(all[(index + rotation) % all.count]) }
        #expect(stack.strategies.map(\.name) == ["menu", "bar", "alarm"])
        let composed = stack.compose(.pictureInPicture)
        #expect(composed.problem == nil)
        #expect(composed.regions.map(\.name) == ["main", "inset", "list", "ad", "exit"])
        #expect(composed.drawOrder.map(\.name) == ["main", "inset", "list", "ad", "exit"])
        #expect(composed.drawOrder.map(\.layer) == [.video, .video, .controls, .advertisement, .emergency])
        let areas = composed.regions.map(\.area)
        #expect(areas[0] == SceneArea(x: 0, y: 0, width: 7_500, height: 8_000))
        #expect(areas[1] == SceneArea(x: 5_025, y: 5_360, width: 2_250, height: 2_400))
        #expect(areas[2] == areas[0], "the menu lies over the video alone")
        #expect(areas[3] == SceneArea(x: 7_500, y: 0, width: 2_500, height: 8_000), "the emergency places the bar too")
        #expect(areas[4] == SceneArea(x: 0, y: 8_000, width: 10_000, height: 2_000))
    }

    /// What was there before is there again, whichever goes first.
    @Test func takingOneAwayGoesBack() {
        var stack = stack(Self.bar)
        let before = stack.compose(.quad)
        stack.putOn(Self.alarm)
        #expect(stack.compose(.quad) != before)
        let (wasThere, isThere) = (stack.takeOff("alarm"), stack.takeOff("alarm"))
        #expect(wasThere && !isThere, "it is off already")
        #expect(stack.compose(.quad) == before)
        stack.putOn(Self.alarm)
        stack.takeOff("bar")
        #expect(stack.compose(.quad) == self.stack(Self.alarm).compose(.quad))
    }

    /// Of one layer the later lies above.
    @Test func strategiesOfOneLayer() {
        let other = LayoutStrategy(name: "other", layer: .advertisement, regions: [Region(name: "popup")])
        #expect(stack(Self.bar, other, Self.menu).strategies.map(\.name) == ["menu", "bar", "other"])
        #expect(stack(other, Self.bar).compose(.fullScreen).drawOrder.map(\.name) == ["main", "popup", "ad"])
    }

    /// PLAY-35: made once; what comes later by the same name is not looked at while it is on.
    @Test func isTakenOnce() {
        var stack = stack(Self.bar)
        let isNew = stack.putOn(LayoutStrategy(name: "bar", layer: .video))
        #expect(!isNew && stack.strategies == [Self.bar])
        #expect(stack.owner(of: "ad") == Self.bar && stack.owner(of: "main") == nil)
    }

    /// PLAY-36: what reaches for a region of the stage is told, nothing crashes.
    @Test func aRegionOfTheLayoutIsRefused() {
        let greedy = LayoutStrategy(name: "greedy", layer: .emergency, regions: [Region(name: "main")])
        #expect(stack(greedy).compose(.quad).problem == .sameName("main"))
    }

    /// Areas that touch go on touching, none is empty or outside.
    @Test func areasArePlaced() {
        let third = SceneArea(x: 3_333, y: 1, width: 3_334, height: 9_998)
        for columns in [1, 3, 7, 100] {
            var end = third.x
            for column in 0..<columns {
                let (from, to) = (10_000 * column / columns, 10_000 * (column + 1) / columns)
                let placed = SceneArea(x: from, y: 0, width: to - from, height: 10_000).placed(in: third)
                #expect(placed.x == end && placed.isValid && placed.y == 1 && placed.height == 9_998)
                end = placed.x + placed.width
            }
            #expect(end == third.x + third.width)
        }
        let dot = SceneArea(x: 9_999, y: 9_999, width: 1, height: 1)
        for (x, y) in [(0, 0), (9_999, 9_999)] {
            let placed = SceneArea(x: x, y: y, width: 1, height: 1).placed(in: dot)
            #expect(placed == dot)
        }
    }
}
