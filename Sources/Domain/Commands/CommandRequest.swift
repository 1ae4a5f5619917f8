// SPDX-License-Identifier: Apache-2.0
import JSON

/// A command with arguments that its description accepts; there is no other.
public struct CommandRequest: Equatable, Sendable {
    /// Of `Command.all`.
    public let command: String
    private let arguments: [String: JSONValue]

    /// The one check, of the client before it sends and of the service when it receives. Null is as good as absent.
    /// - Parameter arguments: an object.
    public init(command name: String, arguments: JSONValue = [:]) throws(CommandError) {
        let command = try Command.named(name)
        guard let members = arguments.object else { throw .argumentsAreNoObject(command: name) }
        let given = members.filter { !$0.value.isNull }
        let parameters = command.requestParameters
        for parameter in parameters {
            if let value = given[parameter.name] {
                guard parameter.accepts(value) else {
                    throw .invalidValue(
                        parameter: parameter.name, value: Self.brief(value), expectation: parameter.expectation)
                }
            } else if !parameter.isOptional {
                throw .missingArgument(parameter.name, command: name, expectation: parameter.expectation)
            }
        }
        for key in members.keys.sorted() where !parameters.contains(where: { $0.name == key }) {
            throw .unexpectedArgument(key, command: name)
        }
        self.command = name
        self.arguments = given
    }

    public func text(_ parameter: String) -> String? { arguments[parameter]?.string }
    public func integer(_ parameter: String) -> Int64? { arguments[parameter]?.integer }
    public func isSet(_ flag: String) -> Bool { arguments[flag]?.bool ?? false }

    /// Whether it asks for the messages of a data channel as they come.
    public var followsData: Bool { command == "data" && text("action") == "follow" }

    /// `{"command":…,"arguments":{…}}`.
    public var json: JSONValue { ["command": .string(command), "arguments": .object(arguments)] }

    private static func brief(_ value: JSONValue) -> String {
        let text = value.text()
        return text.unicodeScalars.count <= 80 ? text : "\(text.prefix(77))…"
    }
}
