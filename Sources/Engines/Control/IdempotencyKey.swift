// SPDX-License-Identifier: Apache-2.0
import Commands
import HTTP
import Venue

/// What a client calls a request by, so that it acts once however often it comes (IETF draft-ietf-httpapi-idempotency-key).
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

extension HTTPAPI {
    /// The key of a request for a command that changes something; nil if it has none. What changes nothing may come as
    /// often as it wants.
    func key(of request: HTTPRequest, for command: CommandDescription) throws(HTTPRefusal) -> IdempotencyKey? {
        guard let field = request.idempotencyKey, !command.changesNothing else { return nil }
        guard let key = IdempotencyKey(field: field) else {
            throw HTTPRefusal(400, .failure(.usage, "Idempotency-Key: expected \(IdempotencyKey.expectation)"))
        }
        return key
    }
}
