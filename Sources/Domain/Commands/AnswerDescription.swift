// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// The result of a command: its kind, and the form in which the client prints it.
public struct AnswerDescription: Sendable {
    public enum Form: String, Sendable, CaseIterable {
        /// The object `{}`, which is not printed.
        case nothing
        /// An object, printed with one member in each line.
        case record
        /// An object with one array of objects, printed as a table.
        case table
        /// An object with one member, printed flat: `group.name value`.
        case dictionary
        /// An object with one member, printed as JSON.
        case document
        /// `{"events": […], "dropped": …, "next": …}`, printed with one event in each line.
        case events
        /// `{"png": …, "width": …, "height": …}`, whose Base64 picture is written to a file or standard output, or
        /// `{"text": …, …}`, whose text shows it on a terminal.
        case image
    }

    public let form: Form
    public let fields: [FieldDescription]

    public init(_ form: Form, _ fields: [FieldDescription]) {
        self.form = form
        self.fields = fields
    }

    public static let nothing = AnswerDescription(.nothing, [])

    public var kind: ValueKind { .record(fields) }

    /// Whether the answer consists of entries that are cut to fit a line.
    var isList: Bool { form == .table || form == .events }

    /// The one member of a table, a dictionary or a document; nil for the other forms.
    public var member: FieldDescription? {
        switch form {
        case .table: fields.first { $0.rows != nil }
        case .dictionary, .document: fields.first
        case .nothing, .record, .events, .image: nil
        }
    }

    /// The columns of a table, including those that only `--long` shows; empty if the answer is no table.
    public var columns: [FieldDescription] { member?.rows ?? [] }
}

extension FieldDescription {
    /// The members of each element; nil if the field is not an array of objects.
    public var rows: [FieldDescription]? {
        guard case .list(of: .record(let fields), _) = type else { return nil }
        return fields
    }

    public var columnTitle: String { display.title ?? name }
}
