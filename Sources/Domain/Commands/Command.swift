// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Venue

/// A command is a type: its fields are its arguments, and `run` answers it. Nothing about it stands anywhere else.
public protocol Command: AnsweredCommand {
    // Both are said again, so that the compiler infers them from `run`.
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

/// The part that both kinds share. Conform to one of them instead.
public protocol AnsweredCommand: Record {
    /// The feature that runs it.
    associatedtype Owner: AnyObject
    associatedtype Output: Answer
    static var about: About { get }
}

/// The name of a command, what it does and who may give it.
public struct About: Sendable {
    public let name: String
    /// One line without a full stop.
    public let summary: String
    public let help: String
    public let role: Role
    public let form: AnswerDescription.Form?
    public let streamArgument: String?
    public let example: String?
    /// Options that the client keeps for itself, such as `--names`.
    public let clientOptions: [FieldDescription]

    /// - Parameters:
    ///   - form: nil: a table if the answer has an array of objects, else a record.
    ///   - example: the words of a call that succeeds on any box; nil if there is none.
    public init(
        _ name: String, _ summary: String, help: String = "", role: Role = .viewer,
        form: AnswerDescription.Form? = nil, streamArgument: String? = nil, example: String? = nil,
        clientOptions: [FieldDescription] = []
    ) {
        self.name = name
        self.summary = summary
        self.help = help
        self.role = role
        self.form = form
        self.streamArgument = streamArgument
        self.example = example
        self.clientOptions = clientOptions
    }
}

/// The answer of a command that has nothing to tell: `{}`.
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
            about.name, about.summary, help: about.help, role: about.role,
            fields: C.descriptions + about.clientOptions, answer: AnswerDescription(form, answer),
            streamArgument: about.streamArgument, example: about.example)
    }
}
