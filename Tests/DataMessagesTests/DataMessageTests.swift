// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import DataMessages

@Suite struct DataMessageTests {
    @Test func isAValue() { #expect(DataMessage.mostOctets == 65_536) }
}
