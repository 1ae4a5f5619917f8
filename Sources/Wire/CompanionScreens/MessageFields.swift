// SPDX-License-Identifier: Apache-2.0
import JSON

/// The members of one object of a message. Each read names what it expects, and fails with path and value. Members that
/// are not known are ignored, so that later versions may add some.
struct MessageFields {
    let members: [String: JSONValue]
    private let path: String

    /// - Throws: `.invalidJSON`, or `.invalidProperty` unless the text is one object.
    init(parsing text: [UInt8], mostOctets: Int) throws(CompanionMessageError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(
                text,
                limits: JSONLimits(
                    maximumDepth: MessageLimits.depth, maximumOctets: mostOctets, maximumValues: MessageLimits.values))
        } catch {
            throw .invalidJSON(error)
        }
        try self.init(value, path: "")
    }

    private init(_ value: JSONValue, path: String) throws(CompanionMessageError) {
        guard case .object(let members) = value else {
            throw .invalidProperty(path: path, value: Self.shortened(value), expected: "an object")
        }
        self.members = members
        self.path = path
    }

    func failure(_ name: String, expected: String) -> CompanionMessageError {
        .invalidProperty(path: "\(path)/\(name)", value: members[name].map(Self.shortened), expected: expected)
    }

    /// Whether the member is there, and what `reading` makes of it unless it is null; throws if that is nil.
    func property<Value: Hashable & Sendable>(
        _ name: String, expected: String, reading: (JSONValue) -> Value?
    ) throws(CompanionMessageError) -> CIIMessage.Property<Value> {
        guard let member = members[name] else { return .absent }
        if member.isNull { return .null }
        guard let value = reading(member) else { throw failure(name, expected: expected) }
        return .value(value)
    }

    /// Nil if the member is absent or null.
    func optional<Value: Hashable & Sendable>(
        _ name: String, expected: String, reading: (JSONValue) -> Value?
    ) throws(CompanionMessageError) -> Value? {
        try property(name, expected: expected, reading: reading).value
    }

    func required<Value: Hashable & Sendable>(
        _ name: String, expected: String, reading: (JSONValue) -> Value?
    ) throws(CompanionMessageError) -> Value {
        guard let value = try optional(name, expected: expected, reading: reading) else {
            throw failure(name, expected: expected)
        }
        return value
    }

    /// A string, even an empty one.
    func text(_ name: String, atMost octets: Int) throws(CompanionMessageError) -> String {
        try required(name, expected: Self.textExpected(octets)) { Self.text($0, atMost: octets) }
    }

    func textProperty(
        _ name: String, atMost octets: Int
    ) throws(CompanionMessageError) -> CIIMessage.Property<String> {
        try property(name, expected: Self.textExpected(octets)) { Self.text($0, atMost: octets) }
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(CompanionMessageError) -> Int64 {
        try required(name, expected: "an integer \(range.lowerBound)...\(range.upperBound)") { value in
            value.lenientInteger.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    func object(_ name: String) throws(CompanionMessageError) -> MessageFields {
        try MessageFields(try required(name, expected: "an object") { $0 }, path: "\(path)/\(name)")
    }

    func objectIfPresent(_ name: String) throws(CompanionMessageError) -> MessageFields? {
        guard let member = members[name], !member.isNull else { return nil }
        return try object(name)
    }

    /// A list of objects, each made by `reading`.
    func list<Element: Hashable & Sendable>(
        _ name: String, atMost count: Int,
        reading: (MessageFields) throws(CompanionMessageError) -> Element
    ) throws(CompanionMessageError) -> CIIMessage.Property<[Element]> {
        let values = try property(name, expected: "a list of at most \(count)") { value in
            value.array.flatMap { $0.count <= count ? $0 : nil }
        }
        switch values {
        case .absent: return .absent
        case .null: return .null
        case .value(let values):
            var elements: [Element] = []
            for (index, value) in values.enumerated() {
                elements.append(try reading(MessageFields(value, path: "\(path)/\(name)/\(index)")))
            }
            return .value(elements)
        }
    }

    func privateData() throws(CompanionMessageError) -> CIIMessage.Property<[PrivateData]> {
        try list("private", atMost: MessageLimits.privateData) { fields throws(CompanionMessageError) in
            try PrivateData(fields)
        }
    }

    private static func textExpected(_ octets: Int) -> String {
        "a text of at most \(octets) octets without control characters"
    }

    /// Nil unless the value is a string of at most so many octets without control characters.
    static func text(_ value: JSONValue, atMost octets: Int) -> String? {
        guard let text = value.string, text.utf8.count <= octets,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        return text
    }

    private static func shortened(_ value: JSONValue) -> String {
        let text = value.text()
        return text.unicodeScalars.count <= 80 ? text : String(text.unicodeScalars.prefix(79)) + "…"
    }
}
