// SPDX-License-Identifier: Apache-2.0
import JSON

/// The members of one object of an announcement. Each read names what it expects, and fails with path and value. A
/// member that is null counts as absent. Unknown members are ignored, so that later versions may add some.
struct AnnouncementFields {
    private let members: [String: JSONValue]
    private let path: String

    init(_ value: JSONValue, path: String = "") throws(AnnouncementError) {
        guard case .object(let members) = value else {
            throw AnnouncementError.invalidField(path: path, value: Self.shortened(value), expected: "an object")
        }
        self.members = members
        self.path = path
    }

    func failure(_ key: String, expected: String) -> AnnouncementError {
        .invalidField(path: "\(path)/\(key)", value: present(key).map(Self.shortened), expected: expected)
    }

    func object(_ key: String) throws(AnnouncementError) -> AnnouncementFields {
        try AnnouncementFields(try required(key, "an object"), path: "\(path)/\(key)")
    }

    func objectIfPresent(_ key: String) throws(AnnouncementError) -> AnnouncementFields? {
        present(key) == nil ? nil : try object(key)
    }

    func integer(_ key: String, in range: ClosedRange<Int64>) throws(AnnouncementError) -> Int64 {
        let expected = "an integer \(range.lowerBound)...\(range.upperBound)"
        guard let value = try required(key, expected).integer, range.contains(value) else {
            throw failure(key, expected: expected)
        }
        return value
    }

    func integerIfPresent(_ key: String, in range: ClosedRange<Int64>) throws(AnnouncementError) -> Int64? {
        present(key) == nil ? nil : try integer(key, in: range)
    }

    /// - Parameter lengths: allowed lengths in code points, as in JSON Schema.
    func text(
        _ key: String, lengths: ClosedRange<Int>, mayBreakLines: Bool = false
    ) throws(AnnouncementError) -> String {
        let expected = "text of \(lengths.lowerBound)...\(lengths.upperBound) characters without control characters"
        guard let text = try required(key, expected).string, lengths.contains(text.unicodeScalars.count),
            !text.unicodeScalars.contains(where: { $0.isControl && !(mayBreakLines && $0 == "\n") })
        else { throw failure(key, expected: expected) }
        return text
    }

    /// A text; empty if the member is absent.
    func textIfPresent(
        _ key: String, atMost length: Int, mayBreakLines: Bool = false
    ) throws(AnnouncementError) -> String {
        present(key) == nil ? "" : try text(key, lengths: 0...length, mayBreakLines: mayBreakLines)
    }

    /// The value that `reading` makes of a string; throws if that is nil.
    func value<Value>(
        _ key: String, expected: String, reading: (String) -> Value?
    ) throws(AnnouncementError) -> Value {
        guard let text = try required(key, expected).string, let value = reading(text) else {
            throw failure(key, expected: expected)
        }
        return value
    }

    func valueIfPresent<Value>(
        _ key: String, expected: String, reading: (String) -> Value?
    ) throws(AnnouncementError) -> Value? {
        present(key) == nil ? nil : try value(key, expected: expected, reading: reading)
    }

    /// The values that `reading` makes of an array of strings; empty if the member is absent.
    func valuesIfPresent<Value>(
        _ key: String, atMost count: Int, expected: String, reading: (String) -> Value?
    ) throws(AnnouncementError) -> [Value] {
        guard let member = present(key) else { return [] }
        guard let elements = member.array, elements.count <= count else {
            throw failure(key, expected: "at most \(count) \(expected)")
        }
        let values = elements.compactMap { $0.string.flatMap(reading) }
        guard values.count == elements.count else { throw failure(key, expected: "at most \(count) \(expected)") }
        return values
    }

    private func present(_ key: String) -> JSONValue? {
        guard let value = members[key], !value.isNull else { return nil }
        return value
    }

    private func required(_ key: String, _ expected: String) throws(AnnouncementError) -> JSONValue {
        guard let value = present(key) else { throw failure(key, expected: expected) }
        return value
    }

    private static func shortened(_ value: JSONValue) -> String {
        let text = value.text()
        return text.unicodeScalars.count <= 80 ? text : String(text.unicodeScalars.prefix(79)) + "…"
    }
}
