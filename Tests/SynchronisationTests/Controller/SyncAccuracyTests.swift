// SPDX-License-Identifier: Apache-2.0
import Statistics
import Testing
import Time

@testable import Synchronisation

@Suite struct SyncAccuracyTests {
    @Test func tellsHowWellASessionFollows() {
        var session = SimulatedSession(late: .milliseconds(400))
        session.drift = 60
        #expect(SyncAccuracy.statistics.json(of: session.controller.accuracy).at("/errorUs") == nil)
        session.start()
        session.moves()
        session.run(for: .seconds(30))
        session.step(by: .milliseconds(35))
        session.run(for: .seconds(90))
        let json = SyncAccuracy.statistics.json(of: session.controller.accuracy)
        func value(_ name: String) -> Int64 { json.at("/\(name)")?.integer ?? .min }
        #expect(abs(value("errorUs") - session.late.microseconds) < value("boundUs"))
        #expect((1_000...2_000).contains(value("boundUs")))
        #expect((34_000...37_000).contains(value("worstUs")))
        #expect((118_000...120_000).contains(value("observedMs")))
        #expect((2_000...5_000).contains(value("observedMs") - value("insideMs")))
        #expect(value("jumps") == 1)
        #expect(value("jumpsFailed") == 0)
        #expect(value("adaptations") == 1)
        #expect((50_000...70_000).contains(value("driftPPB")))
        #expect(abs(value("ratePPB") - value("driftPPB")) < 2_000)
    }
}
