// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Display

/// Which display a stage is said to be on.
struct DisplayNameTests {
    private static func display(_ edid: [UInt8]) -> FakeCard.Display {
        var display = FakeCard.Display.television
        display.edid = edid
        return display
    }

    /// Another display with the same modes, for one after the other.
    @Test func anotherDisplay() throws {
        let bench = ScreenBench(Self.display(try ScreenVector.fullHD.octets()))
        #expect(bench.driver?.status.display == "TLN TOUCHLINE FHD")
        bench.card[50] = Self.display(try ScreenVector.ultraHD.octets())
        bench.tell()
        #expect(bench.timeToPicture().map { $0 <= .milliseconds(150) } == true)
        #expect(bench.driver?.status.display == "TLN UHD" && bench.card.modesets == 2)
        bench.card[50] = nil
        bench.tell()
        bench.run(for: .seconds(1))
        #expect(bench.driver?.status.display == nil)
    }

    /// What cannot be read names nobody, and darkens nothing.
    @Test func displaysThatSayNothing() throws {
        let whole = try ScreenVector.fullHD.octets()
        for edid in [[], [0], Array(whole[..<100]), whole.map { ~$0 }] {
            let bench = ScreenBench(Self.display(edid))
            bench.run(for: .seconds(1))
            #expect(bench.seen == bench.serial && bench.driver?.status.display == nil)
            bench.card[50] = Self.display(whole)
            bench.tell()
            #expect(bench.timeToPicture() != nil && bench.driver?.status.display == "TLN TOUCHLINE FHD")
        }
    }
}
