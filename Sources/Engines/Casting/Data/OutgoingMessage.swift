// SPDX-License-Identifier: Apache-2.0
import Bytes
import DataMessages
import JSON

/// A message to be sent on a data channel.
public struct OutgoingMessage: Hashable, Sendable {
    /// Media type; empty for that of the channel.
    public var contentType: String
    public var octets: [UInt8]

    public init(contentType: String = "", octets: [UInt8]) {
        self.contentType = contentType
        self.octets = octets
    }
}

extension OutgoingMessage {
    /// Parses a line of a message file: a JSON object with one of `text`, `json` and `base64`, and with `contentType`
    /// unless it is the channel's.
    /// - Throws: `MessageLineError`, which says what is wrong.
    public init(line: some Sequence<UInt8>) throws(MessageLineError) {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONValue.parse(Array(line))
        } catch {
            throw MessageLineError("\(error)")
        }
        guard let members = json.object else { throw MessageLineError("no object") }
        if let stranger = members.keys.sorted().first(where: { !Self.members.contains($0) }) {
            throw MessageLineError("\(stranger) is no member; expected one of \(Self.members.joined(separator: ", "))")
        }
        let bodies = ["text", "json", "base64"].filter { members[$0] != nil }
        guard bodies.count == 1, let kind = bodies.first, let body = members[kind] else {
            throw MessageLineError("expected one of text, json and base64")
        }
        let type = members["contentType"] ?? ""
        guard let contentType = type.string, contentType.utf8.count <= 127,
            contentType.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
        else { throw MessageLineError("contentType is \(type.text()); expected at most 127 characters of ASCII") }
        switch kind {
        case "text": octets = body.string.map { Array($0.utf8) } ?? []
        case "base64": octets = body.string.flatMap { Base64.decode($0) } ?? []
        default: octets = body.octets()
        }
        guard (1...DataMessage.mostOctets).contains(octets.count) else {
            throw MessageLineError("\(kind): expected a text of 1...\(DataMessage.mostOctets) octets")
        }
        self.contentType = contentType
    }

    private static let members = ["base64", "contentType", "json", "text"]

    /// Parses all lines of a file; blank lines are skipped.
    /// - Throws: `MessageLineError` for the first wrong line, with its number, counted from 1.
    public static func lines(_ file: [UInt8]) throws(MessageLineError) -> [OutgoingMessage] {
        var messages: [OutgoingMessage] = []
        for (index, line) in file.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated()
        where !line.allSatisfy({ $0 == 0x20 || $0 == 0x0d }) {
            do throws(MessageLineError) {
                messages.append(try OutgoingMessage(line: line))
            } catch {
                throw MessageLineError("line \(index + 1): \(error)")
            }
        }
        return messages
    }
}
