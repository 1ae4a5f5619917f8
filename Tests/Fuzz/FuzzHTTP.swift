// SPDX-License-Identifier: Apache-2.0
import Control
import HTTP

/// A line of path, query and `Accept`, and a body behind it: there is an answer to all of it.
func fuzzHTTP(_ bytes: UnsafeRawBufferPointer) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    let words = lines[0].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    let path = String(decoding: words[0], as: UTF8.self)
    let query = words.dropFirst().first.map { $0.split(separator: UInt8(ascii: "&")).map(Array.init) } ?? []
    let accept = words.dropFirst(2).first.map { String(decoding: $0, as: UTF8.self) }
    let body = lines.count > 1 ? Array(lines[1]) : []
    let api = HTTPAPI(port: 80, role: .administrator)
    for method in [HTTPMethod.get, .post] {
        let request = HTTPRequest(
            method, path, query: query, host: "localhost", accept: accept,
            contentType: body.isEmpty ? accept : "application/json", body: .octets(method == .get ? [] : body))
        if case .respond(let response) = api.action(for: request) {
            precondition(response.head(closes: false).count < 4_096)
        }
        let isLetIn = api.refusal(ofFollower: request, openCount: 0) == nil
        precondition(isLetIn || path != "/v1/events" || method == .post || !query.isEmpty)
    }
}
