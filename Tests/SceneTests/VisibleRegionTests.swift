// SPDX-License-Identifier: Apache-2.0
import Scene
import Testing

/// SVM-74: which regions people can see, by what lies over them.
@Suite struct VisibleRegionTests {
    private static let left = SceneArea(x: 0, y: 0, width: 5_000, height: 10_000)
    private static let right = SceneArea(x: 5_000, y: 0, width: 5_000, height: 10_000)
    private static let middle = SceneArea(x: 2_500, y: 2_500, width: 5_000, height: 5_000)

    private func visible(_ regions: Region...) -> Set<String> {
        StageLayout(name: "x", regions: regions).visibleNames
    }

    @Test func whatIsAloneIsVisible() {
        #expect(visible() == [])
        #expect(visible(Region(name: "a")) == ["a"])
        #expect(visible(Region(name: "a", area: Self.left), Region(name: "b", area: Self.right)) == ["a", "b"])
        for layout in StageLayout.builtIn { #expect(layout.visibleNames == Set(layout.regions.map(\.name))) }
    }

    @Test func aWholeCoverHides() {
        #expect(visible(Region(name: "a"), Region(name: "b")) == ["b"], "the later of two equals lies above")
        #expect(visible(Region(name: "a", order: 1), Region(name: "b")) == ["a"])
        #expect(visible(Region(name: "a", area: Self.middle), Region(name: "b")) == ["b"])
        #expect(visible(Region(name: "a", area: Self.middle), Region(name: "b", area: Self.middle)) == ["b"])
    }

    @Test func aPartOfACoverDoesNotHide() {
        #expect(visible(Region(name: "a"), Region(name: "b", area: Self.middle)) == ["a", "b"])
        #expect(visible(Region(name: "a"), Region(name: "b", area: Self.left)) == ["a", "b"])
        let almost = SceneArea(x: 0, y: 0, width: 10_000, height: 9_999)
        #expect(visible(Region(name: "a"), Region(name: "b", area: almost)) == ["a", "b"])
    }

    @Test func tilesCoverTogether() {
        let tiles = [Region(name: "b", area: Self.left), Region(name: "c", area: Self.right)]
        #expect(visible(Region(name: "a"), tiles[0], tiles[1]) == ["b", "c"])
        #expect(visible(Region(name: "a", area: Self.middle), tiles[0], tiles[1]) == ["b", "c"])
        let grid = StageLayout.gallery(count: 16, names: [], stage: PixelSize(width: 1_920, height: 1_080))
        var over = grid
        for index in over.regions.indices { over.regions[index].order = 1 }
        over.regions.append(Region(name: "below"))
        #expect(over.visibleNames == Set(grid.regions.map(\.name)))
        over.regions.removeFirst()
        #expect(over.visibleNames.contains("below"))
    }

    @Test func onlyWhatIsOpaqueCovers() {
        #expect(visible(Region(name: "a"), Region(name: "b", opacity: 99)) == ["a", "b"])
        #expect(visible(Region(name: "a"), Region(name: "b", opacity: 0)) == ["a"])
        #expect(visible(Region(name: "a", opacity: 0)) == [])
        #expect(visible(Region(name: "a", opacity: 1)) == ["a"])
    }

    /// An emergency over all hides what lies below, whatever its order.
    @Test func aHigherLayerCovers() {
        let alarm = Region(name: "alarm", order: -100, layer: .emergency)
        #expect(visible(Region(name: "a", order: 100), alarm) == ["alarm"])
        var translucent = alarm
        translucent.opacity = 80
        #expect(visible(Region(name: "a", order: 100), translucent) == ["a", "alarm"])
    }
}
