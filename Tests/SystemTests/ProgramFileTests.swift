// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import System

@Suite struct ProgramFileTests {
    @Test func wasBuiltInThePast() throws {
        #expect(ProgramFile.built < SystemClock.wall())
        let early = try #require(WallTime(rfc3339: "2024-01-01T00:00:00Z"))
        #expect(ProgramFile.built > early)
    }
}
