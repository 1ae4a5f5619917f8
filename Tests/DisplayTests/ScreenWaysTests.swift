// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Display

struct ScreenWaysTests {
    /// Against every choice there is.
    @Test(arguments: Effort.seeds(200)) func asManyAsCanBe(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let controllers = (0..<UInt32.random(in: 1...4, using: &random)).map { 40 + $0 }
        let planes = controllers.map {
            KMSPlane(id: $0 - 10, kind: .primary, formats: [KMSPlane.plainFormat], controllers: [$0])
        }
        let connectors = (0..<UInt32.random(in: 1...4, using: &random)).map { number in
            KMSConnector(
                id: 50 + number, name: "HDMI-A-\(number + 1)", isConnected: true,
                controllers: controllers.filter { _ in Bool.random(using: &random) },
                controller: Bool.random(using: &random) ? controllers.randomElement(using: &random) : nil)
        }
        let ways = ScreenWays(for: connectors, planes: planes)
        let chosen = connectors.compactMap { connector in ways.way(to: connector).map { (connector, $0) } }
        #expect(chosen.allSatisfy { $0.0.controllers.contains($0.1.controller) })
        #expect(
            Set(chosen.map(\.1.controller)).count == chosen.count && Set(chosen.map(\.1.plane.id)).count == chosen.count
        )
        func most(_ rest: ArraySlice<KMSConnector>, _ taken: Set<UInt32>) -> Int {
            guard let first = rest.first else { return 0 }
            let with = first.controllers.filter { !taken.contains($0) }.map {
                1 + most(rest.dropFirst(), taken.union([$0]))
            }
            return max(with.max() ?? 0, most(rest.dropFirst(), taken))
        }
        #expect(chosen.count == most(connectors[...], []))
        // Rather the first, and who is there stays.
        #expect(connectors[0].controllers.isEmpty || ways.way(to: connectors[0]) != nil)
        let kept = Dictionary(uniqueKeysWithValues: chosen.suffix(1).map { ($0.0.id, $0.1.controller) })
        let again = ScreenWays(for: connectors, planes: planes, kept: kept)
        for (id, controller) in kept {
            #expect(connectors.first { $0.id == id }.flatMap { again.way(to: $0)?.controller } == controller)
        }
    }

    /// Planes that could be with any controller are not given twice.
    @Test func planesOfEveryController() {
        let planes = [31, 30].map {
            KMSPlane(
                id: $0, kind: .primary, formats: [KMSPlane.plainFormat], controllers: $0 == 30 ? [40] : [40, 41])
        }
        let connectors = [50, 51].map {
            KMSConnector(id: $0, name: "DP-\($0)", isConnected: true, controllers: [40, 41])
        }
        let ways = ScreenWays(for: connectors, planes: planes)
        #expect(Set(connectors.compactMap { ways.way(to: $0)?.plane.id }) == [30, 31])
    }
}
