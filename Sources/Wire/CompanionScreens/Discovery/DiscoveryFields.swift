// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The lines of an SSDP message: a start line, and fields as HTTP has them.
struct DiscoveryFields {
    private static let most = 64

    let start: String
    private var fields: [String: (value: String, offset: Int)] = [:]
    /// Octets of the message.
    private let count: Int

    /// - Throws: `.limit` for more than 4 096 octets or 64 fields; `.invalid` for octets that are no text, a field without
    ///   a name and a field that comes twice; `.truncated` without a start line.
    init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        guard bytes.count <= DiscoveryMessage.longest else {
            throw WireError(.limit("discovery message octets", UInt64(bytes.count)), at: DiscoveryMessage.longest)
        }
        count = bytes.count
        var reader = Lines(bytes: bytes)
        guard let first = try reader.next(), !first.text.isEmpty else {
            throw WireError(.truncated(needed: 1, available: 0), at: 0)
        }
        start = first.text
        // An empty line ends the fields; some senders leave it out.
        while let (line, offset) = try reader.next(), !line.isEmpty {
            guard fields.count < Self.most else {
                throw WireError(.limit("discovery fields", UInt64(Self.most)), at: offset)
            }
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
                throw WireError(.invalid("discovery field", 0), at: offset)
            }
            let name = line[..<colon].uppercased()
            guard fields[name] == nil else { throw WireError(.invalid("repeated discovery field", 0), at: offset) }
            fields[name] = (Self.trimmed(line[line.index(after: colon)...]), offset)
        }
    }

    subscript(name: String) -> String? { fields[name]?.value }

    /// - Throws: `.truncated` if there is no such field.
    func required(_ name: String) throws(WireError) -> String {
        guard let value = fields[name]?.value, !value.isEmpty else {
            throw WireError(.truncated(needed: 1, available: 0), at: count)
        }
        return value
    }

    /// Of a field that is there and is wrong.
    func invalid(_ field: StaticName, _ name: String) -> WireError {
        WireError(.invalid(field, 0), at: fields[name]?.offset ?? 0)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }

    /// Whether the text can be the value of a field, and comes back as the same.
    static func isValue(_ text: String, longest: Int) -> Bool {
        (1...longest).contains(text.utf8.count) && text.utf8.allSatisfy { 0x20...0x7e ~= $0 }
            && trimmed(text[...]) == text
    }

    /// Lines that end with CR LF, or with LF alone as some senders have it.
    private struct Lines {
        let bytes: UnsafeRawBufferPointer
        var offset = 0

        mutating func next() throws(WireError) -> (text: String, offset: Int)? {
            guard offset < bytes.count else { return nil }
            let start = offset
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
            offset = end + 1
            if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
            for place in start..<end where bytes[place] < 0x20 && bytes[place] != 0x09 || bytes[place] == 0x7f {
                throw WireError(.invalid("discovery octet", UInt64(bytes[place])), at: place)
            }
            return (String(decoding: bytes[start..<end], as: UTF8.self), start)
        }
    }
}
