// SPDX-License-Identifier: Apache-2.0

/// Writes values as JSON in UTF-8.
struct JSONWriter {
    var octets: [UInt8] = []
    private let isPretty: Bool
    private var depth = 0

    init(isPretty: Bool) { self.isPretty = isPretty }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: write("null")
        case .bool(let value): write(value ? "true" : "false")
        case .integer(let value): write(String(value))
        case .number(let value): write(value.isFinite ? value.description : "null")
        case .string(let value): write(quoted: value)
        case .array(let elements): write(elements, between: "[", "]") { $0.write($1) }
        case .object(let members):
            write(members.sorted { $0.key < $1.key }, between: "{", "}") { writer, member in
                writer.write(quoted: member.key)
                writer.write(writer.isPretty ? ": " : ":")
                writer.write(member.value)
            }
        }
    }

    private mutating func write(_ text: String) { octets.append(contentsOf: text.utf8) }

    private mutating func write<Element>(
        _ elements: [Element], between open: String, _ close: String,
        each: (inout JSONWriter, Element) -> Void
    ) {
        write(open)
        depth += 1
        for (index, element) in elements.enumerated() {
            if index > 0 { write(",") }
            breakLine()
            each(&self, element)
        }
        depth -= 1
        if !elements.isEmpty { breakLine() }
        write(close)
    }

    private mutating func breakLine() {
        guard isPretty else { return }
        octets.append(UInt8(ascii: "\n"))
        octets.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
    }

    private mutating func write(quoted text: String) {
        octets.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { write(escaping: $0) }
        octets.append(UInt8(ascii: "\""))
    }

    /// Copies what needs no escape as a whole: an answer may have a megabyte of text.
    private mutating func write(escaping text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in text.indices {
            let isC1 = text[index] == 0xC2 && index + 1 < text.count && (0x80..<0xA0).contains(text[index + 1])
            guard let escape = isC1 ? Self.numbered(text[index + 1]) : Self.escape(of: text[index]) else { continue }
            octets.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            write(escape)
            start = index + (isC1 ? 2 : 1)
        }
        octets.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    /// nil for an octet that stands for itself.
    @inline(__always)
    private static func escape(of octet: UInt8) -> String? {
        switch octet {
        case UInt8(ascii: "\""): "\\\""
        case UInt8(ascii: "\\"): "\\\\"
        case UInt8(ascii: "\n"): "\\n"
        case UInt8(ascii: "\r"): "\\r"
        case UInt8(ascii: "\t"): "\\t"
        // DEL and C1 (U+0080...U+009F) are escaped as well, so that no terminal acts on a channel name from outside.
        case 0..<0x20, 0x7f: numbered(octet)
        default: nil
        }
    }

    private static func numbered(_ octet: UInt8) -> String {
        "\\u00" + (octet < 16 ? "0" : "") + String(octet, radix: 16)
    }
}
