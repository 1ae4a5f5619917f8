// SPDX-License-Identifier: Apache-2.0
import Commands
import HTTP
import Venue

/// What a client calls a request by, so that it acts once however often it comes
/// (draft-ietf-httpapi-idempotency-key-header).
public struct IdempotencyKey: Hashable, Sendable {
    public static let longest = 128

    public let text: String

    /// - Parameter text: 1...128 visible characters of ASCII.
    /// - Returns: nil for another text.
    public init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            return nil
        }
        self.text = text
    }

    /// The value of the field: a string as RFC 8941 (3.3.3) writes it, in quotation marks. Without them it is taken, too.
    /// - Returns: nil if it is none, or has parameters.
    public init?(field: String) {
        let octets = Array(field.utf8)
        guard octets.first == UInt8(ascii: "\"") else {
            guard !octets.contains(UInt8(ascii: "\"")), !octets.contains(UInt8(ascii: ";")) else { return nil }
            self.init(field)
            return
        }
        var text: [UInt8] = []
        var index = 1
        while index < octets.count, octets[index] != UInt8(ascii: "\"") {
            if octets[index] == UInt8(ascii: "\\") {
                index += 1
                guard index < octets.count, octets[index] == UInt8(ascii: "\\") || octets[index] == UInt8(ascii: "\"")
                else { return nil }
            }
            text.append(octets[index])
            index += 1
        }
        guard index == octets.count - 1 else { return nil }
        self.init(String(decoding: text, as: UTF8.self))
    }

    static let expectation = "a string of 1...\(longest) visible characters in quotation marks"
}

extension CommandDescription {
    /// Whether a request with a key acts once. What changes nothing may come as often as it wants. The keys of who may only
    /// look are passed over, or anybody could drive the answers of others out of the memory: what such a caller may change,
    /// by a right that the request brings, happens once without a key.
    func heedsKey(of caller: Caller) -> Bool { !changesNothing && (caller.role ?? .viewer) > .viewer }
}

extension HTTPAPI {
    /// nil if the request has no key that counts.
    func key(
        of request: HTTPRequest, for command: CommandDescription, by caller: Caller
    ) throws(HTTPRefusal) -> IdempotencyKey? {
        guard let field = request.idempotencyKey, command.heedsKey(of: caller) else { return nil }
        guard let key = IdempotencyKey(field: field) else {
            throw HTTPRefusal(400, .failure(.usage, "Idempotency-Key: expected \(IdempotencyKey.expectation)"))
        }
        return key
    }
}
