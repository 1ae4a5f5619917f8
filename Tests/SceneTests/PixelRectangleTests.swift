// SPDX-License-Identifier: Apache-2.0
import Scene
import TestSupport
import Testing

@Suite struct PixelRectangleTests {
    @Test(
        arguments: [
            (PixelSize(width: 1_280, height: 720), (1, 1), PixelRectangle(x: 0, y: 0, width: 1_920, height: 1_080)),
            (PixelSize(width: 720, height: 576), (16, 15), PixelRectangle(x: 240, y: 0, width: 1_440, height: 1_080)),
            (PixelSize(width: 720, height: 576), (64, 45), PixelRectangle(x: 0, y: 0, width: 1_920, height: 1_080)),
            (PixelSize(width: 1_920, height: 800), (1, 1), PixelRectangle(x: 0, y: 140, width: 1_920, height: 800)),
            (PixelSize(width: 1_080, height: 1_920), (0, 1), PixelRectangle(x: 656, y: 0, width: 606, height: 1_080)),
        ] as [(PixelSize, (Int, Int), PixelRectangle)])
    func onFullHD(picture: PixelSize, aspect: (Int, Int), place: PixelRectangle) {
        let bounds = PixelSize(width: 1_920, height: 1_080)
        #expect(PixelRectangle.fitting(picture, pixelAspect: aspect, in: bounds) == place)
    }

    /// Even, inside, centred, touching two edges, and of the picture's shape: up to the pixels that evenness costs.
    @Test(arguments: 1...500 as ClosedRange<UInt64>) func properties(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func size(_ range: ClosedRange<Int>) -> PixelSize {
            PixelSize(width: .random(in: range, using: &random), height: .random(in: range, using: &random))
        }
        let bounds = size(2...5_000)
        let picture = size(16...8_192)
        let aspect = (width: Int.random(in: 1...200, using: &random), height: Int.random(in: 1...200, using: &random))
        let place = PixelRectangle.fitting(picture, pixelAspect: aspect, in: bounds)

        for number in [place.x, place.y, place.size.width, place.size.height] {
            #expect(number >= 0 && number.isMultiple(of: 2))
        }
        let right = bounds.width - place.x - place.size.width
        let below = bounds.height - place.y - place.size.height
        #expect((0...3).contains(right - place.x), "centred, what is odd goes to the right")
        #expect((0...3).contains(below - place.y))
        #expect(min(right, below) <= 1 && min(place.x, place.y) == 0, "as large as can be")

        let shape = Double(picture.width * aspect.width) / Double(picture.height * aspect.height)
        let ideal = (
            width: min(Double(bounds.width), Double(bounds.height) * shape),
            height: min(Double(bounds.height), Double(bounds.width) / shape)
        )
        #expect(abs(Double(place.size.width) - ideal.width) <= 2)
        #expect(abs(Double(place.size.height) - ideal.height) <= 2)
    }

    /// A stream's header may say anything.
    @Test(arguments: [0, 1, 65_535]) func extremes(number: Int) {
        let bounds = PixelSize(width: 3_840, height: 2_160)
        for picture in [PixelSize(width: number, height: 65_535), PixelSize(width: 65_535, height: number)] {
            for aspect in [(width: 65_535, height: number), (width: number, height: 65_535)] {
                let place = PixelRectangle.fitting(picture, pixelAspect: aspect, in: bounds)
                #expect(place.size.width >= 2 && place.x + place.size.width <= bounds.width)
                #expect(place.size.height >= 2 && place.y + place.size.height <= bounds.height)
            }
        }
    }
}

extension PixelRectangle {
    fileprivate init(x: Int, y: Int, width: Int, height: Int) {
        self.init(x: x, y: y, size: PixelSize(width: width, height: height))
    }
}
