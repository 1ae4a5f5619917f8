// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// A command with arguments. Its description accepts them: an invalid request cannot be made.
public struct CommandRequest: Equatable, Sendable {
    public let command: String
    public let arguments: JSONValue
    /// Whether it asks for a stream instead of an answer.
    public let asksForStream: Bool
    /// The caller of the command. Code that receives a request from outside must set it; the default is the service itself.
    public var caller = Caller.service

    /// Checks the arguments. The client does so before it sends a request, and the service when it receives one. Null
    /// counts as absent.
    /// - Parameter arguments: an object with a member for each argument that is given.
    public init(_ description: CommandDescription, arguments: JSONValue = [:]) throws(CommandError) {
        let name = description.name
        guard let members = arguments.object else { throw .argumentsAreNoObject(command: name) }
        let given = members.filter { !$0.value.isNull }
        let fields = description.requestFields
        for field in fields {
            if let value = given[field.name] {
                guard let problem = field.type.problems(of: value).first else { continue }
                let shown = field.isSecret ? ValueKind.mask : problem.value ?? value
                throw .invalidValue(
                    parameter: field.name + problem.path, value: Self.brief(shown), expectation: problem.expectation)
            } else if field.isRequired {
                throw .missingArgument(field.name, command: name, expectation: field.type.expectation)
            }
        }
        for key in members.keys.sorted() where !fields.contains(where: { $0.name == key }) {
            throw .unexpectedArgument(key, command: name)
        }
        command = name
        self.arguments = .object(given)
        asksForStream = description.asksForStream(self.arguments)
    }

    public init(
        command name: String, arguments: JSONValue = [:], in catalogue: Catalogue
    ) throws(CommandError) {
        try self.init(try catalogue.command(named: name), arguments: arguments)
    }

    public func text(_ parameter: String) -> String? { arguments[parameter]?.string }
    public func integer(_ parameter: String) -> Int64? { arguments[parameter]?.integer }
    public func isSet(_ flag: String) -> Bool { arguments[flag]?.bool ?? false }

    /// The request as `{"command":…,"arguments":{…}}`.
    public var json: JSONValue { ["command": .string(command), "arguments": arguments] }

    private static func brief(_ value: JSONValue) -> String {
        let text = value.text()
        return text.unicodeScalars.count <= 80 ? text : "\(text.prefix(77))…"
    }
}
