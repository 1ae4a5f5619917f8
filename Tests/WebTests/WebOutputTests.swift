// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Web

struct WebOutputTests {
    @Test func piecesAreTheMessagesInOrder() {
        var output = WebOutput()
        let messages: [[UInt8]] = [Array(0..<5), [9], Array(10..<20)]
        for message in messages { output.append(message) }
        output.append([])
        var pieces: [[UInt8]] = []
        var whole: [[UInt8]] = []
        while let piece = output.piece(limit: 4) {
            pieces.append(Array(piece.octets))
            if piece.isFirst { whole.append([]) }
            whole[whole.count - 1] += piece.octets
            output.sent(piece)
            #expect(piece.isLast == messages.contains(whole[whole.count - 1]))
        }
        #expect(pieces.map(\.count) == [4, 1, 1, 4, 4, 2])
        #expect(whole == messages)
        #expect(output.isEmpty)
    }

    /// Whoever is slow loses whole pictures, never a part of one.
    @Test func replacingDropsWhatHasNotBegun() throws {
        var output = WebOutput()
        #expect(output.replace(with: [1, 2, 3]) == 0)
        output.sent(try #require(output.piece(limit: 2)))
        #expect(output.replace(with: [4]) == 0)
        #expect(output.replace(with: [5]) == 1)
        #expect(output.replace(with: [6]) == 1)
        var rest: [UInt8] = []
        while let piece = output.piece(limit: 2) {
            rest += piece.octets
            output.sent(piece)
        }
        #expect(rest == [3, 6])
        #expect(output.replace(with: [7]) == 0)
        #expect(output.replace(with: [8]) == 1)
    }

    @Test func manyMessagesKeepTheirOrder() throws {
        var output = WebOutput()
        for number in 0..<1_000 { output.append([UInt8(truncatingIfNeeded: number)]) }
        for number in 0..<1_000 {
            let piece = try #require(output.piece(limit: 8))
            #expect(piece.octets.first == UInt8(truncatingIfNeeded: number))
            output.sent(piece)
            if number % 3 == 0 { output.append([]) }
        }
        #expect(output.isEmpty)
    }
}
