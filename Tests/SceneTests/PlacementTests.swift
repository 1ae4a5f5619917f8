// SPDX-License-Identifier: Apache-2.0
import Scene
import TestSupport
import Testing

private let fullHD = PixelSize(width: 1_920, height: 1_080)

private func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRectangle {
    PixelRectangle(x: x, y: y, size: PixelSize(width: width, height: height))
}

@Suite struct PlacementTests {
    /// PLAY-34: what a box showed before it had regions.
    @Test func fullScreenIsAFittedPicture() throws {
        let region = try #require(StageLayout.fullScreen.regions.first)
        let picture = PixelSize(width: 720, height: 576)
        let placement = region.placement(of: picture, pixelAspect: (16, 15), on: fullHD)
        #expect(placement.crop == rectangle(0, 0, 720, 576))
        #expect(placement.destination == .fitting(picture, pixelAspect: (16, 15), in: fullHD))
        #expect(placement.opacity == 255 && placement.rotation == .upright)
    }

    @Test(
        arguments: [
            (PictureFit.fit, rectangle(0, 0, 1_280, 720), rectangle(960, 90, 960, 540)),
            (.fill, rectangle(162, 0, 956, 720), rectangle(960, 0, 960, 722)),
            (.stretch, rectangle(0, 0, 1_280, 720), rectangle(960, 0, 960, 722)),
        ] as [(PictureFit, PixelRectangle, PixelRectangle)])
    func fits(fit: PictureFit, crop: PixelRectangle, destination: PixelRectangle) {
        // A region of 960 x 722: the right half, two thirds high.
        let area = SceneArea(x: 5_000, y: 0, width: 5_000, height: 6_685)
        let region = Region(name: "a", area: area, fit: fit)
        let placement = region.placement(of: PixelSize(width: 1_280, height: 720), on: fullHD)
        #expect(area.pixels(of: fullHD) == rectangle(960, 0, 960, 722))
        #expect(placement.crop == crop)
        #expect(placement.destination == destination)
    }

    @Test func turnedPicturesFitByTheirTurnedShape() {
        for rotation in [QuarterTurn.quarter, .threeQuarters] {
            let upright = Region(name: "a", rotation: rotation)
            let placement = upright.placement(of: PixelSize(width: 1_280, height: 720), on: fullHD)
            #expect(placement.destination == rectangle(656, 0, 606, 1_080))
            // Wide pixels are high ones then.
            let wide = upright.placement(of: PixelSize(width: 720, height: 576), pixelAspect: (16, 15), on: fullHD)
            #expect(wide.destination == rectangle(554, 0, 810, 1_080))
            let filling = Region(name: "a", fit: .fill, rotation: rotation)
                .placement(of: PixelSize(width: 1_080, height: 1_920), on: fullHD)
            #expect(filling.crop == rectangle(0, 0, 1_080, 1_920))
        }
    }

    @Test func showsAPartOfThePicture() {
        let region = Region(name: "a", crop: SceneArea(x: 2_500, y: 5_000, width: 5_000, height: 5_000))
        let placement = region.placement(of: PixelSize(width: 1_280, height: 721), on: fullHD)
        #expect(placement.crop == rectangle(320, 360, 640, 361), "the odd last row is the picture's own edge")
        let filling = Region(name: "a", fit: .fill, crop: SceneArea(x: 0, y: 0, width: 5_000, height: 10_000))
            .placement(of: PixelSize(width: 1_280, height: 720), on: fullHD)
        #expect(filling.crop == rectangle(0, 180, 640, 360))
    }

    /// Inside the picture and inside the region; a filled picture has the region's shape; even origins.
    @Test(arguments: 1...300 as ClosedRange<UInt64>) func properties(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func area() -> SceneArea {
            let x = Int.random(in: 0...9_999, using: &random)
            let y = Int.random(in: 0...9_999, using: &random)
            return SceneArea(
                x: x, y: y, width: .random(in: 1...10_000 - x, using: &random),
                height: .random(in: 1...10_000 - y, using: &random))
        }
        let stage = PixelSize(
            width: .random(in: 1...4_000, using: &random), height: .random(in: 1...2_500, using: &random))
        let picture = PixelSize(
            width: .random(in: 1...8_000, using: &random), height: .random(in: 1...5_000, using: &random))
        let aspect = (width: Int.random(in: 0...200, using: &random), height: Int.random(in: 0...200, using: &random))
        let region = Region(
            name: "a", area: area(), fit: PictureFit.allCases.randomElement(using: &random) ?? .fit, crop: area(),
            rotation: QuarterTurn.allCases.randomElement(using: &random) ?? .upright,
            opacity: .random(in: -10...110, using: &random))
        let placement = region.placement(of: picture, pixelAspect: aspect, on: stage)
        func isInside(_ inner: PixelRectangle, _ outer: PixelRectangle) -> Bool {
            inner.size.width > 0 && inner.size.height > 0 && inner.x >= outer.x && inner.y >= outer.y
                && inner.x + inner.size.width <= outer.x + outer.size.width
                && inner.y + inner.size.height <= outer.y + outer.size.height
        }
        let tile = region.area.pixels(of: stage)
        #expect(isInside(tile, rectangle(0, 0, stage.width, stage.height)))
        #expect(isInside(placement.destination, tile))
        #expect(isInside(placement.crop, rectangle(0, 0, picture.width, picture.height)))
        #expect(placement.crop.x.isMultiple(of: 2) && placement.crop.y.isMultiple(of: 2))
        #expect((0...255).contains(placement.opacity))
        if region.fit != .fit { #expect(placement.destination == tile) }
        // MEET-46: and of whatever part a viewport shows of it.
        if let (place, part) = region.area.seen(through: area()), stage.width > 1, stage.height > 1 {
            var region = region
            (region.area, region.part) = (place, part)
            let placement = region.placement(of: picture, pixelAspect: aspect, on: stage)
            #expect(isInside(placement.destination, place.pixels(of: stage)))
            #expect(isInside(placement.crop, rectangle(0, 0, picture.width, picture.height)))
            #expect(placement.crop.x.isMultiple(of: 2) && placement.crop.y.isMultiple(of: 2))
        }
    }

    /// A document or a stream's header may say anything.
    @Test func extremes() {
        for number in [Int.min / 2, -1, 0, 1, Int.max / 2] {
            let area = SceneArea(x: number, y: number, width: number, height: number)
            for fit in PictureFit.allCases {
                let region = Region(name: "", area: area, fit: fit, crop: area, order: number, opacity: number)
                let placement = region.placement(
                    of: PixelSize(width: 0, height: 65_535), pixelAspect: (0, -1), on: PixelSize(width: 64, height: 36))
                #expect(placement.destination.x + placement.destination.size.width <= 64)
                #expect(placement.destination.size.height > 0 && placement.crop.size.width == 1)
            }
        }
    }
}
