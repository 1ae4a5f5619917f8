// SPDX-License-Identifier: Apache-2.0
import Scene
import Testing

/// MEET-46: the part of a layout that the stage shows.
@Suite struct ViewportTests {
    private static let stage = PixelSize(width: 640, height: 360)

    private func area(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> SceneArea {
        SceneArea(x: x, y: y, width: width, height: height)
    }

    @Test func theWholeIsAsWithout() {
        for layout in StageLayout.builtIn { #expect(layout.seen == layout) }
        let beyond = StageLayout(name: "x", regions: [Region(name: "main")], viewport: area(1, 0, 10_000, 10_000))
        #expect(beyond.problem == .viewportOutside)
    }

    /// A quarter of sixteen tiles: four of them, four times as large as they are without.
    @Test func showsSomeTilesLarger() {
        var layout = StageLayout.gallery(count: 16, stage: Self.stage)
        layout.viewport = area(5_000, 0, 5_000, 5_000)
        let seen = layout.seen
        #expect(seen.problem == nil && seen.viewport == .whole)
        #expect(seen.regions.map(\.name) == ["tile3", "tile4", "tile7", "tile8"])
        #expect(seen.regions.map(\.area) == StageLayout.quad.regions.map(\.area))
        #expect(seen.regions.allSatisfy { $0.part == .whole })
    }

    /// Tiles at the edge are cut, not squeezed: the shown pixels are those that they have there as a whole.
    @Test func tilesAtTheEdgeAreCut() throws {
        var layout = StageLayout.quad
        layout.viewport = area(2_500, 2_500, 5_000, 5_000)
        let seen = layout.seen
        #expect(seen.regions.map(\.name) == ["main", "second", "third", "fourth"])
        #expect(seen.regions.map(\.part).first == area(5_000, 5_000, 5_000, 5_000))
        #expect(seen.regions.map(\.part).last == area(0, 0, 5_000, 5_000))
        let picture = PixelSize(width: 1_280, height: 720)
        let crops = seen.regions.map { $0.placement(of: picture, on: Self.stage) }
        #expect(
            crops.map(\.destination) == seen.regions.map { $0.area.pixels(of: Self.stage) },
            "the pictures' shape is the stage's")
        let half = PixelSize(width: 640, height: 360)
        let corners = [(640, 360), (0, 360), (640, 0), (0, 0)]
        let expected = corners.map { x, y in PixelRectangle(x: x, y: y, size: half) }
        #expect(crops.map(\.crop) == expected)
    }

    /// The part at the upper left of each turned picture.
    @Test(
        arguments: [
            (.upright, 0, 0), (.quarter, 0, 360), (.half, 640, 360), (.threeQuarters, 640, 0),
        ] as [(QuarterTurn, Int, Int)])
    func turnedTilesAreCut(rotation: QuarterTurn, x: Int, y: Int) {
        var region = Region(name: "main", fit: .stretch, rotation: rotation)
        region.part = area(0, 0, 5_000, 5_000)
        let placement = region.placement(of: PixelSize(width: 1_280, height: 720), on: Self.stage)
        #expect(placement.crop == PixelRectangle(x: x, y: y, size: PixelSize(width: 640, height: 360)))
        #expect(placement.destination == PixelRectangle(x: 0, y: 0, size: Self.stage))
    }

    /// What is black beside a picture goes out of sight as the picture does.
    @Test func bordersAreCut() {
        var region = Region(name: "main")
        region.part = area(0, 0, 5_000, 10_000)
        let square = region.placement(of: PixelSize(width: 720, height: 720), on: Self.stage)
        // 1280 wide as a whole, the picture 360 in the middle of it: from 460 to 640 is in sight.
        #expect(square.destination == PixelRectangle(x: 460, y: 0, size: PixelSize(width: 180, height: 360)))
        #expect(square.crop == PixelRectangle(x: 0, y: 0, size: PixelSize(width: 360, height: 720)))
    }

    /// Page by page, up to the edges.
    @Test func pans() {
        let page = area(0, 0, 4_000, 5_000)
        #expect(page.panned(.right) == area(4_000, 0, 4_000, 5_000))
        #expect(page.panned(.right).panned(.right) == area(6_000, 0, 4_000, 5_000))
        #expect(page.panned(.down).panned(.down) == area(0, 5_000, 4_000, 5_000))
        #expect(page.panned(.left) == page && page.panned(.up) == page)
        for direction in PanDirection.allCases { #expect(SceneArea.whole.panned(direction) == .whole) }
    }
}
