// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// The commands, settings and events of a box, described without their Swift types. The box makes the catalogue from
/// its features. The client reads it from a document (`Catalogue+Document`).
public struct Catalogue: Sendable {
    /// The commands in the order in which help lists them. Their names are unique.
    public private(set) var commands: [CommandDescription]
    /// The members of the settings' document.
    public let settings: [FieldDescription]
    public let events: [EventDescription]
    private var index: [String: Int] = [:]

    /// - Parameter commands: commands with unique names.
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

    /// The catalogue with further commands: those that the client answers itself.
    public func adding(_ commands: [CommandDescription]) -> Catalogue {
        Catalogue(self.commands + commands, settings: settings, events: events)
    }

    public subscript(name: String) -> CommandDescription? { index[name].map { commands[$0] } }

    /// - Throws: `.unknownCommand`, with the most similar name if there is one.
    public func command(named name: String) throws(CommandError) -> CommandDescription {
        if let command = self[name] { return command }
        throw .unknownCommand(name, suggestion: Suggestion.nearest(to: name, among: commands.map(\.name)))
    }

    /// The options of every command line of the client. None is sent to the service.
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
    /// True if it says what is true of a session also when that has ended.
    public let outlivesSession: Bool

    public init(_ type: String, _ help: String, _ payload: [FieldDescription], outlivesSession: Bool = false) {
        self.type = type
        self.help = help
        self.payload = payload
        self.outlivesSession = outlivesSession
    }
}
