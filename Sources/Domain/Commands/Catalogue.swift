// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// Everything that can be asked of a box, set on it and heard from it, without a Swift type of it. The box makes it of
/// its features; the client has it as a document (`Catalogue+JSON`).
public struct Catalogue: Sendable {
    /// Each once, in the order of the help.
    public private(set) var commands: [CommandDescription]
    /// The members of the settings' document.
    public let settings: [FieldDescription]
    public let events: [EventDescription]
    private var index: [String: Int] = [:]

    /// - Parameter commands: no name twice.
    public init(
        _ commands: [CommandDescription], settings: [FieldDescription] = [], events: [EventDescription] = []
    ) {
        self.commands = commands
        self.settings = settings
        self.events = events
        for (place, command) in commands.enumerated() {
            precondition(index.updateValue(place, forKey: command.name) == nil, "two commands \(command.name)")
        }
    }

    /// With the commands that the client answers itself.
    public func adding(_ commands: [CommandDescription]) -> Catalogue {
        Catalogue(self.commands + commands, settings: settings, events: events)
    }

    public subscript(name: String) -> CommandDescription? { index[name].map { commands[$0] } }

    /// - Throws: `.unknownCommand`, with the name that is nearest.
    public func command(named name: String) throws(CommandError) -> CommandDescription {
        if let command = self[name] { return command }
        throw .unknownCommand(name, suggestion: Suggestion.nearest(to: name, among: commands.map(\.name)))
    }

    /// Options of every command line; none goes to the service.
    public static let commonOptions: [FieldDescription] = [
        .clientOption("json", .boolean, "Print the result as JSON."),
        .clientOption("socket", .formatted(.file), "Control socket of the service."),
        .clientOption("help", .boolean, "Explain instead of doing."),
    ]
}

/// An event that a box emits, without its Swift type.
public struct EventDescription: Sendable {
    /// `family.name`.
    public let type: String
    public let help: String
    public let payload: [FieldDescription]

    public init(_ type: String, _ help: String, _ payload: [FieldDescription]) {
        self.type = type
        self.help = help
        self.payload = payload
    }
}
