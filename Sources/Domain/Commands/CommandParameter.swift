// SPDX-License-Identifier: Apache-2.0
import JSON

/// An argument or an option of a command.
public struct CommandParameter: Sendable {
    public enum Kind: Sendable {
        /// Given or not; true in JSON.
        case flag
        /// Code points.
        case text(ClosedRange<Int>)
        case choice([String])
        case integer(ClosedRange<Int64>)
        /// A file of the client's machine.
        case path
    }

    /// Where a shell finds what may stand here.
    public enum Completion: Sendable { case nothing, choices, channelNames, commands, files }

    /// In JSON; `--name` on a command line when it is an option.
    public let name: String
    public let kind: Kind
    public let isOptional: Bool
    public let completion: Completion
    /// Stays with the client; never on the wire.
    public let isLocal: Bool
    public let help: String

    public init(
        _ name: String, _ kind: Kind, isOptional: Bool = false, completion: Completion? = nil, isLocal: Bool = false,
        _ help: String
    ) {
        self.name = name
        self.kind = kind
        self.isOptional = isOptional
        self.completion = completion ?? kind.completion
        self.isLocal = isLocal
        self.help = help
    }

    public var choices: [String] {
        if case .choice(let choices) = kind { choices } else { [] }
    }

    public var isFlag: Bool {
        if case .flag = kind { true } else { false }
    }

    public var expectation: String {
        switch kind {
        case .flag: "true or false"
        case .text(let length): "a text of \(length.lowerBound)...\(length.upperBound) characters"
        case .choice(let choices): "one of " + choices.joined(separator: ", ")
        case .integer(let range):
            range.upperBound == .max
                ? "an integer from \(range.lowerBound)" : "an integer, \(range.lowerBound)...\(range.upperBound)"
        case .path: "a path"
        }
    }

    /// Whether `value` may stand here.
    public func accepts(_ value: JSONValue) -> Bool {
        switch kind {
        case .flag: value.bool != nil
        case .text(let length): value.string.map { length.contains($0.unicodeScalars.count) } ?? false
        case .choice(let choices): value.string.map(choices.contains) ?? false
        case .integer(let range): value.integer.map(range.contains) ?? false
        case .path: value.string.map { !$0.isEmpty && !$0.utf8.contains(0) } ?? false
        }
    }

    /// A word of a command line as the value that JSON carries; whether it is accepted is another question.
    func value(of word: String) -> JSONValue {
        if case .integer = kind, let integer = Int64(word) { return .integer(integer) }
        return .string(word)
    }
}

extension CommandParameter.Kind {
    var completion: CommandParameter.Completion {
        switch self {
        case .choice: .choices
        case .path: .files
        case .flag, .text, .integer: .nothing
        }
    }
}
