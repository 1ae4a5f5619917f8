// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import HTTP

struct AnswerReaderTests {
    private static let text =
        "HTTP/1.1 503 Service Unavailable\r\nretry-after: 7\r\nContent-Length: 4\r\nConnection: close\r\n\r\nabcd"

    private func read(_ text: String) -> AnswerReader.Result {
        var reader = AnswerReader()
        return reader.add(Array(text.utf8)[...])
    }

    @Test func everyCutIsTheSame() {
        let octets = Array(Self.text.utf8)
        for cut in 0..<octets.count {
            var reader = AnswerReader()
            #expect(reader.add(octets[..<cut]) == .incomplete)
            #expect(
                reader.add(octets[cut...])
                    == .whole(.init(status: 503, retryAfter: 7, closes: true, body: Array("abcd".utf8))))
        }
    }

    @Test(arguments: [
        "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 99 X\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "rubbish\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.1 200 OK\r\nnothing\r\n\r\n",
    ])
    func whatIsNoAnswer(text: String) { #expect(read(text) == .refused) }

    @Test func aHeadHasAnEnd() {
        #expect(read(String(repeating: "a", count: AnswerReader.mostHeadOctets)) == .refused)
    }

    @Test func damagedAnswersTrapNothing() {
        var mutation = Mutation(seed: 11)
        for _ in 0..<2_000 {
            var reader = AnswerReader()
            _ = reader.add(mutation.damage(Array(Self.text.utf8))[...])
        }
    }
}
