// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import DataReception

@Suite struct DataSubscriptionTests {
    @Test func isAValue() { #expect(DataSubscription.name("a") != .name("b")) }
}
