// SPDX-License-Identifier: Apache-2.0

/// What a box can be asked, whoever asks: the client, HTTP, the console, the remote control.
public struct Command: Sendable {
    /// Who may; each may what those before it may.
    public enum Role: String, Sendable, CaseIterable {
        case viewer, `operator`, administrator

        /// Whether who has this one may do what needs the other.
        public func includes(_ other: Role) -> Bool {
            switch other {
            case .viewer: true
            case .operator: self != .viewer
            case .administrator: self == .administrator
            }
        }
    }

    public let name: String
    /// One line without a full stop.
    public let summary: String
    /// What the summary cannot say; may be empty.
    public let help: String
    /// By position. When fewer words than arguments are given, the first optional ones are those left out.
    public let arguments: [CommandParameter]
    public let options: [CommandParameter]
    public let role: Role
    public let answer: AnswerShape
    /// Answered by the client itself: works with the service dead.
    public let isLocal: Bool

    init(
        _ name: String, _ summary: String, help: String = "", arguments: [CommandParameter] = [],
        options: [CommandParameter] = [], role: Role = .viewer, isLocal: Bool = false, answer: AnswerShape = .nothing
    ) {
        self.name = name
        self.summary = summary
        self.help = help
        self.arguments = arguments
        self.options = options + (answer.isList ? [Self.long] : [])
        self.role = role
        self.isLocal = isLocal
        self.answer = answer
    }

    private static let long = CommandParameter(
        "long", .flag, isOptional: true, isLocal: true, "Print every detail, uncut.")

    /// Whether it only looks: over HTTP it may be a GET.
    public var changesNothing: Bool { role == .viewer }

    /// What may stand in a request's arguments.
    public var requestParameters: [CommandParameter] { (arguments + options).filter { !$0.isLocal } }

    /// What asks for a stream instead of an answer: a WebSocket over HTTP.
    public var streamParameters: [String] {
        switch name {
        case "events": ["follow"]
        case "data": ["action"]
        default: []
        }
    }

    /// What may stand in a query or a body of HTTP.
    public var httpParameters: [CommandParameter] {
        requestParameters.filter { !streamParameters.contains($0.name) }
    }

    public static func named(_ name: String) throws(CommandError) -> Command {
        if let command = all.first(where: { $0.name == name }) { return command }
        throw .unknownCommand(name, suggestion: Suggestion.nearest(to: name, among: all.map(\.name)))
    }
}
