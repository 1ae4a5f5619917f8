// SPDX-License-Identifier: Apache-2.0
import Settings
import Testing
import Time

@testable import Hosting

@Suite struct NetworkDebugWindowTests {
    private func at(_ seconds: Int64) -> Monotonic { Monotonic(nanoseconds: seconds * 1_000_000_000) }

    @Test func itEndsByItselfAndTellsItOnce() {
        let window = NetworkDebugWindow()
        var debug = Settings.NetworkDebug()
        (debug.tracesGroups, debug.accessPoints, debug.minutes) = (true, ["02:00:00:00:01:00"], 2)
        window.open(debug, at: at(10))
        #expect(window.tracesGroups(at: at(129)) && window.rest(at: at(70)) == .seconds(60))
        #expect(
            window.isWatched("02:00:00:00:01:00", at: at(129)) && !window.isWatched("02:00:00:00:01:01", at: at(20)))
        #expect(!window.hasEnded(at: at(129)))
        #expect(!window.tracesGroups(at: at(130)) && !window.isWatched("02:00:00:00:01:00", at: at(130)))
        #expect(window.hasEnded(at: at(130)) && !window.hasEnded(at: at(131)), "once")
        #expect(window.rest(at: at(131)) == nil)
        window.open(debug, at: at(200))
        #expect(window.isOpen(at: at(319)), "a change begins it anew")
    }

    @Test func whoAsksForNothingGetsNothing() {
        let window = NetworkDebugWindow()
        window.open(Settings.NetworkDebug(), at: at(0))
        #expect(!window.isOpen(at: at(0)) && !window.hasEnded(at: at(100_000)) && window.rest(at: at(0)) == nil)
    }
}
