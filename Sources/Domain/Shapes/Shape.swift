// SPDX-License-Identifier: Apache-2.0
import JSON

/// A type that is only written to JSON: an answer, a row of an answer, an event. Its fields are `let` and its
/// initialiser is the memberwise one, so that the compiler refuses an answer in which a field is missing.
public protocol Answer: Sendable {
    static var shape: Shape<Self> { get }
}

/// A type that is also read from JSON: arguments and settings. `init()` is the only place that holds the defaults.
public protocol Record: Answer {
    init()
}

/// The list of a type's fields, each with its name, codec and help.
public struct Shape<Root: Sendable>: Sendable {
    let fields: [Field<Root>]

    public init(_ fields: [Field<Root>] = []) { self.fields = fields }

    public func write(_ root: Root) -> JSONValue {
        var members: [String: JSONValue] = [:]
        for field in fields {
            if let value = field.write(root) { members[field.name] = value }
        }
        return .object(members)
    }
}

extension Shape where Root: Answer {
    public func descriptions(of standard: Root?) -> [FieldDescription] { fields.map { $0.describe(standard) } }
}

extension Answer {
    /// The descriptions of the fields.
    public static var descriptions: [FieldDescription] { shape.descriptions(of: nil) }
    public static var kind: ValueKind { .record(descriptions) }
    public var json: JSONValue { Self.shape.write(self) }
}

extension Record {
    public static var descriptions: [FieldDescription] { shape.descriptions(of: Self()) }
    public static var kind: ValueKind { .record(descriptions) }

    /// - Parameters:
    ///   - value: an object that the kind accepts. A field that is absent or null keeps the value of `standard`.
    ///   - standard: the values to start from; nil for the defaults of the type.
    public init(reading value: JSONValue, over standard: Self? = nil) {
        self = standard ?? Self()
        for field in Self.shape.fields {
            if let member = value[field.name], !member.isNull { field.read(member, &self) }
        }
    }
}

/// A field of `Root` with its conversion to and from JSON.
public struct Field<Root: Sendable>: Sendable {
    let name: String
    /// - Parameter standard: the value that holds the defaults; nil for fields that are only written.
    let describe: @Sendable (_ standard: Root?) -> FieldDescription
    let read: @Sendable (JSONValue, inout Root) -> Void
    /// Returns nil if the member is to be left out.
    let write: @Sendable (Root) -> JSONValue?
}
