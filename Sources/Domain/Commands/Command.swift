// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Venue

/// A command as a type: its fields are its arguments, and `run` answers it. Help, checks, manuals and the HTTP API are
/// made from this type alone.
public protocol Command: AnsweredCommand {
    // Both are declared again so that the compiler infers them from `run`.
    associatedtype Owner
    associatedtype Output
    func run(on owner: Owner) throws(Status) -> Output
}

/// A command whose answer comes later.
public protocol DeferredCommand: AnsweredCommand {
    associatedtype Owner
    associatedtype Output
    func run(on owner: Owner, _ reply: Reply<Output>)
}

/// What `Command` and `DeferredCommand` have in common. A command conforms to one of these.
public protocol AnsweredCommand: Record {
    /// The feature that runs the command.
    associatedtype Owner: AnyObject
    associatedtype Output: Answer
    static var about: About { get }
}

/// The name of a command, what it does, and the role that it needs.
public struct About: Sendable {
    public let name: String
    /// One line without a full stop.
    public let summary: String
    public let help: String
    public let role: Role
    public let admission: CommandAdmission
    /// Whether the answer has a secret, which is told once and kept nowhere.
    public let answersSecret: Bool
    /// See `CommandDescription`.
    public let onlyAsks: Bool
    public let form: AnswerDescription.Form?
    public let streamArgument: String?
    public let example: String?
    /// Options that only the client interprets, such as `--names`. They are not sent to the service.
    public let clientOptions: [FieldDescription]
    public let route: HTTPRoute?

    /// - Parameters:
    ///   - form: nil if the form follows from the answer: `.nothing` without fields, a table with an array of objects,
    ///     and otherwise a record.
    ///   - example: the words of a call that succeeds on any box; nil if there is none.
    ///   - route: a further way to give the command by HTTP; nil if there is none.
    public init(
        _ name: String, _ summary: String, help: String = "", role: Role = .viewer,
        admission: CommandAdmission = .role, answersSecret: Bool = false, onlyAsks: Bool = false,
        form: AnswerDescription.Form? = nil,
        streamArgument: String? = nil, example: String? = nil, clientOptions: [FieldDescription] = [],
        route: HTTPRoute? = nil
    ) {
        self.name = name
        self.summary = summary
        self.help = help
        self.role = role
        self.admission = admission
        self.answersSecret = answersSecret
        self.onlyAsks = onlyAsks
        self.form = form
        self.streamArgument = streamArgument
        self.example = example
        self.clientOptions = clientOptions
        self.route = route
    }
}

/// The answer of a command that returns nothing: `{}`.
public struct Done: Answer {
    public static let shape = Shape<Done>()
    public init() {}
}

extension CommandDescription {
    public init<C: AnsweredCommand>(_ type: C.Type) {
        let (about, answer) = (C.about, C.Output.descriptions)
        let hasRows = answer.contains { $0.rows != nil }
        let form = about.form ?? (answer.isEmpty ? .nothing : hasRows ? .table : .record)
        self.init(
            about.name, about.summary, help: about.help, role: about.role, admission: about.admission,
            answersSecret: about.answersSecret, onlyAsks: about.onlyAsks, fields: C.descriptions + about.clientOptions,
            answer: AnswerDescription(form, answer),
            streamArgument: about.streamArgument, example: about.example, route: about.route)
    }
}
