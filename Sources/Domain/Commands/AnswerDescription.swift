// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// The result of a command: its kind, and how people read it.
public struct AnswerDescription: Sendable {
    public enum Form: String, Sendable, CaseIterable {
        /// `{}`.
        case nothing
        /// An object, printed a member a line.
        case record
        /// An object with one array of objects, printed as a table.
        case table
        /// An object with one member, printed flat: `group.name value`.
        case dictionary
        /// An object with one member, printed as JSON.
        case document
        /// `{"events": […], "dropped": …, "next": …}`, printed an event a line.
        case events
        /// `{"png": base64, "width": …, "height": …}`, written as a file.
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

    /// Made of entries that have to be cut to fit a line.
    var isList: Bool { form == .table || form == .events }

    /// The one member of a table, a dictionary or a document.
    public var member: FieldDescription? {
        switch form {
        case .table: fields.first { $0.rows != nil }
        case .dictionary, .document: fields.first
        case .nothing, .record, .events, .image: nil
        }
    }

    /// The columns of a table, those of `--long` included.
    public var columns: [FieldDescription] { member?.rows ?? [] }
}

extension FieldDescription {
    /// The members of each element, if the field is an array of objects.
    public var rows: [FieldDescription]? {
        guard case .list(of: .record(let fields), _) = type else { return nil }
        return fields
    }

    public var columnTitle: String { display.title ?? name }
}
