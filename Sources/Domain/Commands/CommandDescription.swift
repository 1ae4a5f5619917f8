// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// A command described without its Swift type. Help, completion, manuals, OpenAPI and the client work with it alone.
public struct CommandDescription: Sendable {
    public let name: String
    /// One line without a full stop.
    public let summary: String
    /// Details beyond the summary; empty if there are none.
    public let help: String
    public let role: Role
    public let admission: CommandAdmission
    /// Whether the answer has a secret, which is told once and kept nowhere.
    public let answersSecret: Bool
    /// Whether it changes nothing, although it needs more than the role of a viewer; what it asks for is worth nothing to a
    /// group of boxes, whose answers nobody hears.
    public let onlyAsks: Bool
    /// Arguments and options, in the order of the help.
    public let fields: [FieldDescription]
    public let answer: AnswerDescription
    /// Whether the client answers the command itself.
    public let isLocal: Bool
    /// The argument that asks for a stream instead of an answer, which is a WebSocket over HTTP; nil if there is none.
    public let streamArgument: String?
    /// The words after the name of a call that succeeds on any box. Tests hold its answer against the schema.
    /// nil if every call needs something that only some boxes have.
    public let example: String?
    /// A further way to give the command by HTTP; nil if there is none.
    public let route: HTTPRoute?

    public init(
        _ name: String, _ summary: String, help: String = "", role: Role = .viewer,
        admission: CommandAdmission = .role, answersSecret: Bool = false, onlyAsks: Bool = false,
        fields: [FieldDescription] = [],
        answer: AnswerDescription = .nothing, isLocal: Bool = false, streamArgument: String? = nil,
        example: String? = nil, route: HTTPRoute? = nil
    ) {
        self.name = name
        self.summary = summary
        self.help = help
        self.role = role
        self.admission = admission
        self.answersSecret = answersSecret
        self.onlyAsks = onlyAsks
        self.fields = fields + (answer.isList ? [Self.long] : [])
        self.answer = answer
        self.isLocal = isLocal
        self.streamArgument = streamArgument
        self.example = example
        self.route = route
    }

    private static let long = FieldDescription.clientOption("long", .boolean, "Print every detail, uncut.")

    /// The arguments that a command line gives by position. If it gives fewer words than there are arguments, the first
    /// optional arguments are the ones left out.
    public var arguments: [FieldDescription] { fields.filter { $0.place == .position || $0.place == .document } }
    public var options: [FieldDescription] { fields.filter { $0.place == .option || $0.place == .clientOption } }

    /// Whether the command only reads, so that HTTP allows GET for it. What brings a right of its own changes something.
    public var changesNothing: Bool { role == .viewer && admission != .everybody }

    /// Whether a signed command may have a group of boxes do it: what an operator may, and shows at once. Nobody hears what
    /// a box answers, so what only asks is left out; settings change by signed orders alone.
    public var isForGroups: Bool {
        role == .operator && !isLocal && !onlyAsks && !fields.contains { $0.place == .document }
    }

    /// The members that a request may have.
    public var requestFields: [FieldDescription] { fields.filter { $0.place != .clientOption } }

    /// The members that a query or a body of HTTP may have.
    public var httpFields: [FieldDescription] { requestFields.filter { $0.name != streamArgument } }

    /// Whether a request with these arguments asks for a stream.
    public func asksForStream(_ arguments: JSONValue) -> Bool {
        guard let streamArgument, let value = arguments[streamArgument] else { return false }
        return value == true || value == "follow"
    }
}
