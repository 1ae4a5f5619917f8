// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Web

struct WebMessageTests {
    private func append(
        _ text: [UInt8], to message: inout WebMessage, isBinary: Bool = false, isLast: Bool = true
    ) -> WebMessage.Outcome {
        text.withUnsafeBytes { message.append($0, isBinary: isBinary, isLast: isLast) }
    }

    /// A character may lie across two fragments.
    @Test func fragmentsAreOneMessage() {
        var message = WebMessage(limit: 4)
        for _ in 0..<3 {
            #expect(append([0x61, 0xc3], to: &message, isLast: false) == .incomplete)
            #expect(append([], to: &message, isLast: false) == .incomplete)
            #expect(append([0xa4, 0x62], to: &message) == .whole([0x61, 0xc3, 0xa4, 0x62]))
        }
        #expect(append([], to: &message) == .whole([]))
    }

    @Test func theLimitHoldsForTheWhole() {
        var message = WebMessage(limit: 4)
        #expect(append([1, 2, 3, 4, 5], to: &message) == .refused(status: 1_009))
        #expect(append([1, 2, 3], to: &message, isLast: false) == .incomplete)
        #expect(append([4, 5], to: &message, isLast: false) == .refused(status: 1_009))
        #expect(append([1, 2, 3, 4], to: &message) == .whole([1, 2, 3, 4]))
    }

    @Test(arguments: [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xc3], [0xf4, 0x90, 0x80, 0x80]] as [[UInt8]])
    func onlyUTF8IsText(octets: [UInt8]) {
        var message = WebMessage(limit: 4)
        #expect(append(octets, to: &message) == .refused(status: 1_007))
        #expect(append(octets, to: &message, isBinary: true) == .refused(status: 1_003))
    }
}
