// SPDX-License-Identifier: Apache-2.0
import JSON

/// An argument or an option of a command.
public struct CommandParameter: Sendable {
    public enum Kind: Sendable {
        /// Given or not; true in JSON.
        case flag
        /// Of so many code points, none of which is a control character.
        case text(ClosedRange<Int>)
        case choice([String])
        case integer(ClosedRange<Int64>)
        /// Of either; the word means that nothing is chosen.
        case integerOrWord(ClosedRange<Int64>, String)
        /// A file of the client's machine.
        case path
    }

    /// Where a shell finds what may stand here.
    public enum Completion: Sendable {
        case nothing, choices, commands, files
        /// What the service answers to the command of that name, of each the name.
        case channelNames, playlistNames, layoutNames, regionNames, strategyNames

        /// The command that lists them; nil: the service is not asked.
        var listing: String? {
            switch self {
            case .nothing, .choices, .commands, .files: nil
            case .channelNames: "channels"
            case .playlistNames: "playlists"
            case .layoutNames: "layouts"
            case .regionNames: "regions"
            case .strategyNames: "strategies"
            }
        }

        static let listings = [channelNames, playlistNames, layoutNames, regionNames, strategyNames].compactMap(
            \.listing)
    }

    /// In JSON, camelCase. On a command line its words stand apart: see `optionWord`.
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

    /// As an option of a command line: `--pixels-per-second` for `pixelsPerSecond`.
    public var optionWord: String { "--" + words }

    /// Stands for the value in help.
    public var placeholder: String { words.uppercased() }

    private var words: String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }

    public var choices: [String] {
        switch kind {
        case .choice(let choices): choices
        case .integerOrWord(_, let word): [word]
        case .flag, .text, .integer, .path: []
        }
    }

    public var isFlag: Bool {
        if case .flag = kind { true } else { false }
    }

    var isInteger: Bool {
        if case .integer = kind { true } else { false }
    }

    public var expectation: String {
        switch kind {
        case .flag: "true or false"
        case .text(let length): "a text of \(length.lowerBound)...\(length.upperBound) characters"
        case .choice(let choices): "one of " + choices.joined(separator: ", ")
        case .integer(let range):
            range.upperBound == .max
                ? "an integer from \(range.lowerBound)" : "an integer, \(range.lowerBound)...\(range.upperBound)"
        case .integerOrWord(let range, let word):
            "an integer, \(range.lowerBound)...\(range.upperBound), or \(word)"
        case .path: "a path"
        }
    }

    /// Whether `value` may stand here.
    public func accepts(_ value: JSONValue) -> Bool {
        switch kind {
        case .flag: value.bool != nil
        case .text(let length):
            value.string.map { text in
                length.contains(text.unicodeScalars.count)
                    && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
            } ?? false
        case .choice(let choices): value.string.map(choices.contains) ?? false
        case .integer(let range): value.integer.map(range.contains) ?? false
        case .integerOrWord(let range, let word):
            value.integer.map(range.contains) ?? (value.string == word)
        case .path: value.string.map { !$0.isEmpty && !$0.utf8.contains(0) } ?? false
        }
    }

    /// A word of a command line as the value that JSON carries; whether it is accepted is another question.
    func value(of word: String) -> JSONValue {
        switch kind {
        case .integer, .integerOrWord: Int64(word).map { .integer($0) } ?? .string(word)
        case .flag, .text, .choice, .path: .string(word)
        }
    }
}

extension CommandParameter.Kind {
    var completion: CommandParameter.Completion {
        switch self {
        case .choice, .integerOrWord: .choices
        case .path: .files
        case .flag, .text, .integer: .nothing
        }
    }
}
