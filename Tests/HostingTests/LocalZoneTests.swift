// SPDX-License-Identifier: Apache-2.0
import Hosting
import Testing
import Time

struct LocalZoneTests {
    @Test func zonesAreThoseOfTheMachine() {
        let berlin = LocalZone("Europe/Berlin")
        #expect(berlin.problem == nil && berlin.rules != .utc)
        let nowhere = LocalZone("Nowhere/At_All")
        #expect(nowhere.problem?.contains("Nowhere/At_All") == true && nowhere.rules == .utc)
        #expect(LocalZone(nil).problem == nil)
    }
}
