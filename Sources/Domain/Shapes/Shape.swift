// SPDX-License-Identifier: Apache-2.0
import JSON

/// A value that is only written: answers, their rows, events. Its fields are `let`, and its initialiser is the memberwise
/// one, so that the compiler refuses an answer with a field forgotten.
public protocol Answer: Sendable {
    static var shape: Shape<Self> { get }
}

/// A value that is read as well: arguments and settings. `init()` has the defaults, and they stand nowhere else.
public protocol Record: Answer {
    init()
}

/// The fields of a type, one line each.
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
    /// The fields of an answer.
    public static var descriptions: [FieldDescription] { shape.descriptions(of: nil) }
    public static var kind: ValueKind { .record(descriptions) }
    public var json: JSONValue { Self.shape.write(self) }
}

extension Record {
    public static var descriptions: [FieldDescription] { shape.descriptions(of: Self()) }
    public static var kind: ValueKind { .record(descriptions) }

    /// - Parameters:
    ///   - value: an object without problems. A field that is absent or null keeps the value of `standard`.
    ///   - standard: nil: the defaults of the type.
    public init(reading value: JSONValue, over standard: Self? = nil) {
        self = standard ?? Self()
        for field in Self.shape.fields {
            if let member = value[field.name], !member.isNull { field.read(member, &self) }
        }
    }
}

/// A field of `Root` and how it goes to and from JSON.
public struct Field<Root: Sendable>: Sendable {
    let name: String
    /// - Parameter standard: has the defaults; nil for what is never read.
    let describe: @Sendable (_ standard: Root?) -> FieldDescription
    let read: @Sendable (JSONValue, inout Root) -> Void
    /// nil: the member is left out.
    let write: @Sendable (Root) -> JSONValue?
}
