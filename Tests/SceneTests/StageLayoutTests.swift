// SPDX-License-Identifier: Apache-2.0
import Scene
import Testing

@Suite struct StageLayoutTests {
    @Test func builtInLayoutsAreSound() {
        for layout in StageLayout.builtIn {
            #expect(layout.problem == nil)
            #expect(layout.regions.first?.name == "main")
        }
        #expect(Set(StageLayout.builtIn.map(\.name)).count == StageLayout.builtIn.count)
    }

    @Test func whatIsWrongIsSaid() {
        func problem(_ regions: [Region]) -> StageLayoutError? { StageLayout(name: "x", regions: regions).problem }
        #expect(problem([]) == nil)
        #expect(problem([Region(name: "a"), Region(name: "a")]) == .sameName("a"))
        #expect(problem([Region(name: "")]) == .noName)
        #expect(problem([Region(name: "a", opacity: 101)]) == .opacity(101, region: "a"))
        #expect(problem((0...64).map { Region(name: "\($0)") }) == .tooManyRegions(65))
        let beyond = SceneArea(x: 5_000, y: 0, width: 5_001, height: 10)
        let empty = SceneArea(x: 0, y: 0, width: 0, height: 10)
        #expect(problem([Region(name: "a", area: beyond)]) == .areaOutside(region: "a"))
        #expect(problem([Region(name: "a", crop: empty)]) == .cropOutside(region: "a"))
        let extreme = SceneArea(x: .max, y: .min, width: .max, height: .max)
        #expect(problem([Region(name: "a", area: extreme)]) == .areaOutside(region: "a"))
    }

    @Test func higherRegionsAreDrawnLater() {
        let layout = StageLayout(
            name: "x", regions: [Region(name: "a", order: 1), Region(name: "b"), Region(name: "c", order: 1)])
        #expect(layout.drawOrder.map(\.name) == ["b", "a", "c"])
    }

    /// MEET-46: the automatic grid.
    @Test(
        arguments: [
            (1, 1, 1), (2, 2, 1), (3, 2, 2), (4, 2, 2), (5, 3, 2), (6, 3, 2), (9, 3, 3), (10, 4, 3), (16, 4, 4),
            (64, 8, 8),
        ] as [(Int, Int, Int)])
    func galleriesUseTheStageWell(count: Int, columns: Int, rows: Int) {
        let stage = PixelSize(width: 1_920, height: 1_080)
        let layout = StageLayout.gallery(count: count, names: ["main"], stage: stage)
        #expect(layout.problem == nil && layout.regions.count == count)
        #expect(layout.regions.first?.name == "main")
        let tiles = layout.regions.map { $0.area.pixels(of: stage) }
        #expect(Set(tiles.map(\.y)).count == rows)
        #expect(tiles.filter { $0.y == 0 }.count == min(count, columns))
        for (index, tile) in tiles.enumerated() {
            for other in tiles[..<index] {
                let isBeside = other.x + other.size.width <= tile.x || other.y + other.size.height <= tile.y
                #expect(isBeside || tile.x + tile.size.width <= other.x)
            }
        }
        // What is left of the last row is the same on both sides.
        let last = tiles.filter { $0.y == tiles.last?.y }
        if let first = last.first, let end = last.last {
            #expect(abs(first.x - (stage.width - end.x - end.size.width)) <= 2)
        }
    }

    @Test func galleriesOfOtherShapes() {
        let tall = StageLayout.gallery(count: 3, stage: PixelSize(width: 1_080, height: 1_920))
        #expect(tall.regions.allSatisfy { $0.area.x == 0 }, "one above the other")
        #expect(tall.regions.map(\.name) == ["tile1", "tile2", "tile3"])
        #expect(StageLayout.gallery(count: 1_000, stage: PixelSize(width: 0, height: 0)).regions.count == 64)
        let spaced = StageLayout.gallery(count: 4, stage: PixelSize(width: 1_920, height: 1_080), gap: 20)
        #expect(spaced.regions.first?.area == SceneArea(x: 10, y: 10, width: 4_980, height: 4_980))
    }
}
