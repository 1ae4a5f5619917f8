// SPDX-License-Identifier: Apache-2.0
import Commands
import Control
import HTTP
import Shapes

let catalogue = Catalogue([
    CommandDescription("status", "Show"),
    CommandDescription(
        "tune", "Play", role: .operator,
        fields: [.option("channel", .text(1...128), ""), .option("number", .integer(0...9), "")]),
    CommandDescription(
        "events", "Show", fields: [.option("follow", .boolean, ""), .option("since", .integer(0...Int64.max), "")],
        streamArgument: "follow"),
    CommandDescription("data", "List", fields: [.option("channel", .text(1...128), "")]),
])

/// A line of path, query, `Accept`, `Host` and `Origin`, and a body behind it: there is an answer to all of it.
func fuzzHTTP(_ bytes: UnsafeRawBufferPointer) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    let words = lines[0].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    let path = String(decoding: words[0], as: UTF8.self)
    let query = words.dropFirst().first.map { $0.split(separator: UInt8(ascii: "&")).map(Array.init) } ?? []
    func word(_ place: Int) -> String? {
        words.indices.contains(place) ? String(decoding: words[place], as: UTF8.self) : nil
    }
    let accept = word(2)
    let body = lines.count > 1 ? Array(lines[1]) : []
    let api = HTTPAPI(role: .administrator, catalogue: catalogue)
    for method in [HTTPMethod.get, .post] {
        let request = HTTPRequest(
            method, path, query: query, host: word(3) ?? "localhost", origin: word(4), accept: accept,
            contentType: body.isEmpty ? accept : "application/json", idempotencyKey: accept,
            body: .octets(method == .get ? [] : body), peer: .loopback(port: 80))
        if case .respond(let response) = api.action(for: request) {
            precondition(response.head(closes: false).count < 4_096)
        }
        let isLetIn = api.refusal(ofFollower: request, openCount: 0) == nil
        precondition(isLetIn || path != "/v1/events" || method == .post || !query.isEmpty || word(3) != nil)
    }
}

/// An answer to a client, in two pieces and whole: both are the same, and within its bounds.
func fuzzHTTPAnswer(_ bytes: UnsafeRawBufferPointer) {
    let octets = Array(bytes)
    var (reader, pieces) = (AnswerReader(), AnswerReader())
    let whole = reader.add(octets[...])
    let middle = octets.count / 2
    let first = pieces.add(octets[..<middle])
    if case .whole(let answer) = whole {
        precondition((200...599).contains(answer.status) && answer.body.count <= AnswerReader.mostBodyOctets)
        precondition(reader.isEmpty)
    }
    guard first == .incomplete else { return }  // what stands behind a whole answer is refused in one piece
    precondition(pieces.add(octets[middle...]) == whole)
}
