// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Display

struct CRTCAssignmentTests {
    /// Against every choice there is.
    @Test(arguments: Effort.seeds(200)) func asManyAsCanBe(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let crtcs = (0..<UInt32.random(in: 1...4, using: &random)).map { 40 + $0 }
        let planes = crtcs.map {
            KMSPlane(id: $0 - 10, kind: .primary, formats: [KMSPlane.xrgb8888], crtcs: [$0])
        }
        let connectors = (0..<UInt32.random(in: 1...4, using: &random)).map { number in
            KMSConnector(
                id: 50 + number, name: "HDMI-A-\(number + 1)", isConnected: true,
                crtcs: crtcs.filter { _ in Bool.random(using: &random) },
                crtc: Bool.random(using: &random) ? crtcs.randomElement(using: &random) : nil)
        }
        let assignment = CRTCAssignment(for: connectors, planes: planes)
        let chosen = connectors.compactMap { connector in
            assignment.crtcAndPlane(for: connector).map { (connector, $0) }
        }
        #expect(chosen.allSatisfy { $0.0.crtcs.contains($0.1.crtc) })
        #expect(
            Set(chosen.map(\.1.crtc)).count == chosen.count && Set(chosen.map(\.1.plane.id)).count == chosen.count
        )
        func most(_ rest: ArraySlice<KMSConnector>, _ taken: Set<UInt32>) -> Int {
            guard let first = rest.first else { return 0 }
            let with = first.crtcs.filter { !taken.contains($0) }.map {
                1 + most(rest.dropFirst(), taken.union([$0]))
            }
            return max(with.max() ?? 0, most(rest.dropFirst(), taken))
        }
        #expect(chosen.count == most(connectors[...], []))
        // Rather the first, and who is there stays.
        #expect(connectors[0].crtcs.isEmpty || assignment.crtcAndPlane(for: connectors[0]) != nil)
        let kept = Dictionary(uniqueKeysWithValues: chosen.suffix(1).map { ($0.0.id, $0.1.crtc) })
        let again = CRTCAssignment(for: connectors, planes: planes, kept: kept)
        for (id, crtc) in kept {
            #expect(connectors.first { $0.id == id }.flatMap { again.crtcAndPlane(for: $0)?.crtc } == crtc)
        }
    }

    /// Planes that could be with any CRTC are not given twice.
    @Test func planesOfEveryController() {
        let planes = [31, 30].map {
            KMSPlane(
                id: $0, kind: .primary, formats: [KMSPlane.xrgb8888], crtcs: $0 == 30 ? [40] : [40, 41])
        }
        let connectors = [50, 51].map {
            KMSConnector(id: $0, name: "DP-\($0)", isConnected: true, crtcs: [40, 41])
        }
        let assignment = CRTCAssignment(for: connectors, planes: planes)
        #expect(Set(connectors.compactMap { assignment.crtcAndPlane(for: $0)?.plane.id }) == [30, 31])
    }
}
