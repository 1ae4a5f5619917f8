// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Display

/// The connectors of an MST hub get new numbers and names each time that the hub is plugged in.
struct HubConnectorTests {
    private static let cycles = Effort.scaled(200)

    @Test func mirroredScreensForgetThem() {
        let bench = MirrorBench([50: .television])
        let before = (bench.card.livingFramebuffers, bench.card.livingBlobs)
        var shown = 0
        var mostMirrors = 0
        for cycle in 0..<Self.cycles {
            let id = UInt32(1_000 + cycle)
            bench.card.addConnector(id, "DP-\(cycle + 1)", .other)
            bench.tell()
            bench.run(for: .milliseconds(160))
            if bench.lag(id).map({ $0 <= 3 }) == true { shown += 1 }
            mostMirrors = max(mostMirrors, bench.status.mirrors.count)
            bench.card.removeConnector(id)
            bench.tell()
            bench.run(for: .milliseconds(100))
        }
        #expect(shown == Self.cycles, "\(shown) of \(Self.cycles) were driven")
        #expect(mostMirrors == 1 && bench.status.mirrors.isEmpty && bench.status.connector == "HDMI-A-1")
        #expect((bench.card.livingFramebuffers, bench.card.livingBlobs) == before && bench.card.knownConnectors == 2)
        #expect(bench.card.brokenRules == [])
        bench.end()
        #expect(bench.card.livingFramebuffers == 0 && bench.card.livingBlobs == 0)
    }

    /// What a screen saved of a connector that is gone does not keep it from giving the console back.
    @Test func aScreenForgetsWhatItSavedOfThem() throws {
        var console: CanvasFramebuffer?
        let bench = ScreenBench(nil) {
            console = try? $0.startConsole(on: 50, FakeCard.Display.television.timings[2])
        }
        for cycle in 0..<20 as Range<UInt32> {
            bench.card.addConnector(1_000 + cycle, "DP-\(cycle + 1)", .other)
            bench.tell()
            bench.run(for: .milliseconds(300))
            #expect(bench.driver?.status.connector == "DP-\(cycle + 1)")
            bench.card.removeConnector(1_000 + cycle)
            bench.tell()
            bench.run(for: .milliseconds(300))
        }
        bench.card[50] = .television
        bench.tell()
        bench.run(for: .seconds(1))
        #expect(bench.driver?.status.mode == "192x108@60" && bench.card.knownConnectors == 2)
        bench.end()
        #expect(bench.card.mode(of: 50) == FakeCard.Display.television.timings[2].octets)
        #expect(bench.card.picture == [0, 0, 0] && bench.card.brokenRules == [])
        withExtendedLifetime(console) {}
    }
}
