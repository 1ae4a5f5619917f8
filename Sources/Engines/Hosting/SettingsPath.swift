// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// The path of a setting: `sound.volume`, or the RFC 6901 pointer `/sound/volume`. An element of a list is named by its
/// index, or by its name if elements have one: `channels.News.port`. `-` stands for a new element at the end of the list.
public struct SettingsPath: Equatable, Sendable {
    let tokens: [String]

    public init(_ text: String) {
        if !text.isEmpty, let keys = JSONValue.keys(of: text) {
            tokens = keys
        } else {
            tokens = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        }
    }

    public var pointer: String { Self.pointer(tokens[...]) }

    static func pointer(_ tokens: ArraySlice<String>) -> String {
        tokens.map { "/" + JSONValue.pointerToken($0) }.joined()
    }

    /// The patch that gives this setting a value. An element of a list is changed in a copy of the whole list.
    /// - Parameters:
    ///   - value: nil restores the default, or removes an element of a list.
    ///   - kind: the kind of the whole document.
    ///   - now: the document as it is.
    func patch(_ value: JSONValue?, of kind: ValueKind, now: JSONValue) throws(SettingsFailure) -> JSONValue {
        try patch(value, tokens[...], kind, now)
    }

    private func patch(
        _ value: JSONValue?, _ rest: ArraySlice<String>, _ kind: ValueKind, _ now: JSONValue?
    ) throws(SettingsFailure) -> JSONValue {
        guard let token = rest.first else { return value.map { kind.parsing($0) } ?? .null }
        switch kind {
        case .record(let fields):
            guard let field = fields.first(where: { $0.name == token }) else {
                throw unknown(rest, expected: "one of " + fields.map(\.name).sorted().joined(separator: ", "))
            }
            return [token: try patch(value, rest.dropFirst(), field.type, now?[token] ?? field.standard)]
        case .map(let element): return [token: try patch(value, rest.dropFirst(), element, now?[token])]
        case .nullable(let kind), .wordOr(_, let kind), .textOr(_, let kind): return try patch(value, rest, kind, now)
        case .list(let element, _): return try patched(value, rest, element, now?.array ?? [])
        default: throw unknown(rest, expected: "no more, because the setting before it is \(kind.expectation)")
        }
    }

    private func patched(
        _ value: JSONValue?, _ rest: ArraySlice<String>, _ kind: ValueKind, _ elements: [JSONValue]
    ) throws(SettingsFailure) -> JSONValue {
        let (token, inner) = (rest[rest.startIndex], rest.dropFirst())
        var elements = elements
        if token == "-", inner.isEmpty, let value { return .array(elements + [kind.parsing(value)]) }
        guard let index = Self.index(of: token, in: elements) else {
            let names = elements.compactMap { $0["name"]?.string }.joined(separator: ", ")
            throw unknown(
                rest, expected: "0..<\(elements.count), or the name of an element (\(names)), or - to add one")
        }
        if !inner.isEmpty {
            elements[index] = elements[index].merging(patch: try patch(value, inner, kind, elements[index]))
        } else if let value {
            elements[index] = kind.parsing(value)
        } else {
            elements.remove(at: index)
        }
        return .array(elements)
    }

    private func unknown(_ rest: ArraySlice<String>, expected: String) -> SettingsFailure {
        let path = Self.pointer(tokens[..<rest.startIndex] + rest.prefix(1))
        return .unknownPath(Problem(path: path, isUnknown: true, expectation: expected))
    }

    private static func index(of token: String, in elements: [JSONValue]) -> Int? {
        if let index = elements.firstIndex(where: { $0["name"]?.string == token }) { return index }
        return Int(token).flatMap { elements.indices.contains($0) ? $0 : nil }
    }

    /// The description of the setting, and its value in `document`, which has all defaults. What the description does
    /// not say of a change is as the setting has it that holds this one.
    func find(in kind: ValueKind, _ document: JSONValue) throws(SettingsFailure) -> (FieldDescription, JSONValue?) {
        var (field, value): (FieldDescription?, JSONValue?) = (nil, document)
        var (effect, isLocalOnly) = (LiveChange.needsRestart, false)
        var kind = kind
        for place in tokens.indices {
            var fields: [FieldDescription] = []
            switch kind.withoutNull {
            case .record(let members): fields = members
            case .list(of: let element, _):
                guard let index = Self.index(of: tokens[place], in: value?.array ?? []) else {
                    throw unknown(tokens[place...], expected: "an index, or the name of an element")
                }
                (kind, value) = (element, value?.array?[index])
                continue
            case .map(let element):
                (kind, value) = (element, value?[tokens[place]])
                continue
            default: break
            }
            guard let found = fields.first(where: { $0.name == tokens[place] }) else {
                let names = fields.map(\.name).sorted().joined(separator: ", ")
                throw unknown(tokens[place...], expected: names.isEmpty ? "no more" : "one of \(names)")
            }
            (field, kind, value) = (found, found.type, value?[found.name])
            (effect, isLocalOnly) = (found.change ?? effect, isLocalOnly || found.isLocalOnly)
        }
        guard var field else { throw unknown([""], expected: "the path of a setting") }
        if isLocalOnly { field = field.locally() }
        // The settings of a group have effects of their own.
        if case .record = field.type { return (field, value) }
        return (field.changing(effect), value)
    }
}

extension ValueKind {
    fileprivate var withoutNull: ValueKind {
        switch self {
        case .nullable(let kind), .wordOr(_, let kind), .textOr(_, let kind): kind
        default: self
        }
    }

    /// The value of a word of a command line: a text that this kind does not take as it is may be JSON, and a number
    /// may be a text.
    fileprivate func parsing(_ value: JSONValue) -> JSONValue {
        guard !accepts(value) else { return value }
        guard let text = value.string else { return accepts(.string(value.text())) ? .string(value.text()) : value }
        return (try? JSONValue.parse(text)) ?? value  // a text that is no JSON is refused with what was expected
    }
}
