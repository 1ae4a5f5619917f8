// SPDX-License-Identifier: Apache-2.0
import Auditing
import Credentials
import HTTP

/// What a box keeps of tokens and of the audit, and what requests show: what is read can be written and read again.
func fuzzCredentials(_ bytes: UnsafeRawBufferPointer) {
    let octets = Array(bytes)
    let text = String(decoding: octets, as: UTF8.self)
    var request = HTTPRequest(.get, "/")
    (request.authorization, request.cookie, request.subprotocols) = (text, text, text)
    _ = request.credentials(cookieName: "s")
    request.authorization = nil
    _ = request.credentials(cookieName: "s")
    let lines = octets.split(separator: UInt8(ascii: "\n")).map(Array.init)
    precondition(AuditTrail(reading: lines).entries(before: nil, atMost: .max).count <= lines.count)
    guard let credentials = try? Credentials(parsing: octets) else { return }  // refusing is an answer
    precondition(credentials.tokens.count <= Credentials.tokenLimit)
    let written = credentials.octets
    guard written.count <= octets.count + 64 << 10 else { preconditionFailure("it has grown") }
    guard let again = try? Credentials(parsing: written) else { return }  // times are written in milliseconds
    precondition(again.tokens.map(\.name) == credentials.tokens.map(\.name))
}
