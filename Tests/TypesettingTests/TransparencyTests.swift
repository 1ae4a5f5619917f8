// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Testing

@testable import Typesetting

@Suite struct TransparencyTests {
    let red = RGBColour(red: 200, green: 10, blue: 0)

    @Test func aShapeIsWhereItShouldBeAndPremultiplied() throws {
        let ink = try Ink.of(
            [.shape(.rectangle(x: 30, y: 20, width: 100, height: 40, colour: red, opacity: 128))], width: 200,
            height: 100)
        let bounds = try #require(ink.bounds)
        #expect([bounds.left, bounds.top, bounds.right, bounds.bottom] == [30, 20, 129, 59])
        let pixel = (40 * 200 + 80) * 4
        #expect(Array(ink.octets[pixel..<pixel + 4]) == [0, 5, 100, 128])
        #expect(ink.isPremultiplied)
    }

    @Test func cornersAreRound() throws {
        let ink = try Ink.of(
            [.shape(.rectangle(x: 0, y: 0, width: 100, height: 60, radius: 20, colour: red))], width: 100, height: 60)
        #expect(ink.octets[3] == 0)
        #expect(ink.octets[(30 * 100 + 50) * 4 + 3] == 255)
        #expect((5_600..<5_800).contains(ink.pixels))  // 6 000 but four corners of 86
    }

    @Test func aTrianglePointsWhereItShould() throws {
        func row(_ y: Int, pointsLeft: Bool) throws -> Range<Int> {
            let shape = Shape.triangle(x: 0, y: 0, width: 40, height: 40, pointsLeft: pointsLeft, colour: red)
            let ink = try Ink.of([.shape(shape)], width: 40, height: 40)
            let filled = (0..<40).filter { ink.octets[(y * 40 + $0) * 4 + 3] > 128 }
            return (filled.first ?? 0)..<(filled.last ?? 0)
        }
        #expect(try row(20, pointsLeft: false).upperBound > 36)
        #expect(try row(3, pointsLeft: false).upperBound < 10)
        #expect(try row(20, pointsLeft: true).lowerBound < 3)
        #expect(try row(3, pointsLeft: true).lowerBound > 30)
    }

    @Test func textOverAPanelLeavesItsOpacity() throws {
        let panel = Drawing.shape(.rectangle(x: 0, y: 0, width: 300, height: 80, colour: .black, opacity: 200))
        let text = Drawing.text(Text("Hall 7", x: 20, y: 20, style: TextStyle(height: 40)))
        let ink = try Ink.of([panel, text], width: 300, height: 80)
        let opacities = Set(stride(from: 3, to: ink.octets.count, by: 4).map { ink.octets[$0] })
        #expect(opacities.min() == 200)
        #expect(opacities.max() == 255)
        #expect(ink.isPremultiplied)
        #expect(stride(from: 0, to: ink.octets.count, by: 4).contains { ink.octets[$0] > 250 })  // white on top
    }

    @Test func nothingDrawnIsTransparent() throws {
        #expect(try Ink.of([]).pixels == 0)
        #expect(try Ink.of("\u{202e}\u{7}\u{0}").octets.allSatisfy { $0 == 0 })
    }
}
