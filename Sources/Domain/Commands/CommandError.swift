// SPDX-License-Identifier: Apache-2.0
import JSON
import Venue

/// Why a command was not understood, and what was expected.
public enum CommandError: Error, Equatable, Sendable, CustomStringConvertible {
    case noCommand
    case unknownCommand(String, suggestion: String?)
    /// The word begins several commands, or several further words of one.
    case ambiguousCommand(String, among: [String])
    case unknownOption(String, command: String?, suggestion: String?)
    /// One more word, or one more member of the request's arguments, than the command takes.
    case unexpectedArgument(String, command: String)
    case missingArgument(String, command: String, expectation: String)
    case missingValue(option: String, expectation: String)
    case unexpectedValue(option: String)
    case invalidValue(parameter: String, value: String, expectation: String)
    case argumentsAreNoObject(command: String)
    /// The line ends within a quotation.
    /// - Parameter place: the position of the opening quote in characters, counted from 1.
    case openQuote(String, place: Int)
    case nothingEscaped
    case unreadableDocument(String, why: String)
    case lineTooLong(octets: Int, limit: Int)
    /// What stands behind a bar of the console.
    case unknownFilter(String, expected: [String])
    case tooManyFilters(limit: Int)

    public var description: String {
        switch self {
        case .noCommand: "expected a command; see 'touchline help'"
        case .unknownCommand(let name, let suggestion):
            "unknown command '\(name)'; expected \(Self.expectation(suggestion, of: nil))"
        case .ambiguousCommand(let word, let candidates):
            "'\(word)' begins several words; expected one of \(candidates.joined(separator: ", "))"
        case .unknownOption(let name, let command, let suggestion):
            "unknown option '\(name)'\(command.map { " of \($0)" } ?? ""); "
                + "expected \(Self.expectation(suggestion, of: command))"
        case .unexpectedArgument(let name, let command): "unexpected argument '\(name)' of \(command)"
        case .missingArgument(let name, let command, let expectation):
            "\(command): \(name) is missing; expected \(expectation)"
        case .missingValue(let option, let expectation): "option '\(option)' has no value; expected \(expectation)"
        case .unexpectedValue(let option): "option '\(option)' takes no value"
        case .invalidValue(let parameter, let value, let expectation):
            "\(parameter) is \(value); expected \(expectation)"
        case .argumentsAreNoObject(let command): "the arguments of \(command): expected an object"
        case .openQuote(let quote, let place):
            "the line ends within the quotes that begin at \(place); expected \(quote)"
        case .nothingEscaped: "the line ends with a backslash; expected the character that it stands before"
        case .unreadableDocument(let path, let why): "\(path): \(why); expected a JSON document"
        case .lineTooLong(let octets, let limit): "a line of \(octets) octets; expected at most \(limit)"
        case .unknownFilter(let word, let expected):
            "'\(word)' behind a bar; expected one of \(expected.joined(separator: ", "))"
        case .tooManyFilters(let limit): "more than \(limit) bars; expected fewer"
        }
    }

    public var status: Status { .failure(.usage, description) }

    private static func expectation(_ suggestion: String?, of command: String?) -> String {
        if let suggestion { return "'\(suggestion)'?" }
        return "one of those that 'touchline help\(command.map { " \($0)" } ?? "")' lists"
    }
}
