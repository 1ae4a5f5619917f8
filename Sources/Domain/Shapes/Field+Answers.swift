// SPDX-License-Identifier: Apache-2.0
import JSON

/// Fields that are only written to JSON, so a read-only key path suffices.
extension Field {
    /// A member that is always there; null only if its codec is optional.
    public static func value<Value>(
        _ name: String, _ path: any KeyPath<Root, Value> & Sendable, _ codec: Codec<Value>,
        shownAs display: FieldDisplay = FieldDisplay(), _ help: String
    ) -> Field {
        Field(
            name: name, describe: { _ in describe(name, codec.kind, .required, display, help) }, read: { _, _ in },
            write: { codec.encode($0[keyPath: path]) })
    }

    /// A member that is always there but left out of tables; `--long` and `--json` show it.
    public static func detail<Value>(
        _ name: String, _ path: any KeyPath<Root, Value> & Sendable, _ codec: Codec<Value>, _ help: String
    ) -> Field {
        value(name, path, codec, shownAs: FieldDisplay(isDetail: true), help)
    }

    /// A member that is left out if it is nil.
    public static func unlessNil<Value>(
        _ name: String, _ path: any KeyPath<Root, Value?> & Sendable, _ codec: Codec<Value>,
        shownAs display: FieldDisplay = FieldDisplay(), _ help: String
    ) -> Field {
        Field(
            name: name, describe: { _ in describe(name, codec.kind, .optional, display, help) }, read: { _, _ in },
            write: { $0[keyPath: path].map(codec.encode) })
    }

    /// A member that is computed from the answer, and left out if the result is nil.
    public static func computed<Value>(
        _ name: String, _ codec: Codec<Value>, shownAs display: FieldDisplay = FieldDisplay(), _ help: String,
        _ make: @escaping @Sendable (Root) -> Value?
    ) -> Field {
        Field(
            name: name, describe: { _ in describe(name, codec.kind, .optional, display, help) }, read: { _, _ in },
            write: { make($0).map(codec.encode) })
    }

    private static func describe(
        _ name: String, _ kind: ValueKind, _ presence: FieldDescription.Presence, _ display: FieldDisplay,
        _ help: String
    ) -> FieldDescription {
        var field = FieldDescription(name, kind, presence, help)
        field.display = display
        return field
    }
}
