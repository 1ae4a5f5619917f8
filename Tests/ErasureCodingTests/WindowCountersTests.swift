// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ErasureCoding

@Suite struct WindowCountersTests {
    @Test func isAValue() { #expect(WindowCounters().windows == 0) }
}
