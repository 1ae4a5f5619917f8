// SPDX-License-Identifier: Apache-2.0
import JSON

/// Fields that are both read from and written to JSON.
extension Field where Root: Record {
    public typealias Path<Value> = any WritableKeyPath<Root, Value> & Sendable

    /// A required argument. A command line gives it by position.
    /// - Parameter names: the command that lists the valid names; nil if there is none.
    public static func argument<Value>(
        _ name: String, _ path: Path<Value>, _ codec: Codec<Value>, names: String? = nil, isSecret: Bool = false,
        _ help: String
    ) -> Field {
        make(name, path, codec, isRequired: true, help) {
            ($0.place, $0.names, $0.isSecret) = (.position, names, isSecret)
        }
    }

    /// A required argument that is a JSON document. A command line gives the path of its file.
    public static func document(_ name: String, _ path: Path<JSONValue>, _ help: String) -> Field {
        make(name, path, .anything, isRequired: true, help) { $0.place = .document }
    }

    /// An argument that may be left out. A command line gives it by position.
    public static func optionalArgument<Value>(
        _ name: String, _ path: Path<Value>, _ codec: Codec<Value>, names: String? = nil, _ help: String
    ) -> Field {
        make(name, path, codec, isRequired: false, help) { ($0.place, $0.names) = (.position, names) }
    }

    /// An optional argument that a command line gives as `--name VALUE`, or as `--name` alone for a Bool.
    public static func option<Value>(
        _ name: String, _ path: Path<Value>, _ codec: Codec<Value>, names: String? = nil, _ help: String
    ) -> Field {
        make(name, path, codec, isRequired: false, help) { ($0.place, $0.names) = (.option, names) }
    }

    /// A setting with the default that `Root()` has.
    /// - Parameter change: what happens on a playing box when the value changes.
    public static func setting<Value>(
        _ name: String, _ path: Path<Value>, _ codec: Codec<Value>, _ change: LiveChange, isSecret: Bool = false,
        _ help: String
    ) -> Field {
        make(name, path, codec, isRequired: false, help) { ($0.change, $0.isSecret) = (change, isSecret) }
    }

    /// A member of an element of a list that has to be given because it has no sensible default.
    public static func required<Value>(
        _ name: String, _ path: Path<Value>, _ codec: Codec<Value>, _ help: String
    ) -> Field {
        make(name, path, codec, isRequired: true, help) { _ in }
    }

    /// A member of an element of a list that may be left out. Its default is that of `Root()`, which may be nil.
    public static func member<Value>(
        _ name: String, _ path: Path<Value>, _ codec: Codec<Value>, _ help: String
    ) -> Field {
        make(name, path, codec, isRequired: false, help) { _ in }
    }

    /// A member that holds settings of its own. Their defaults are those of the value at `path` in `Root()`.
    public static func group<Value: Record>(_ name: String, _ path: Path<Value>, _ help: String) -> Field {
        Field(
            name: name,
            describe: { standard in
                let fields = Value.shape.descriptions(of: standard?[keyPath: path] ?? Value())
                return .group(name, help, fields)
            },
            read: { value, root in root[keyPath: path] = Value(reading: value, over: root[keyPath: path]) },
            write: { $0[keyPath: path].json })
    }

    private static func make<Value>(
        _ name: String, _ path: Path<Value>, _ codec: Codec<Value>, isRequired: Bool, _ help: String,
        _ adjust: @escaping @Sendable (inout FieldDescription) -> Void
    ) -> Field {
        Field(
            name: name,
            describe: { standard in
                let value = isRequired ? .null : codec.encode((standard ?? Root())[keyPath: path])
                let presence: FieldDescription.Presence =
                    isRequired ? .required : value.isNull ? .optional : .defaulted(value)
                var field = FieldDescription(name, codec.kind, presence, help)
                adjust(&field)
                return field
            },
            read: { value, root in if let value = codec.decode(value) { root[keyPath: path] = value } },
            write: { root in
                let value = codec.encode(root[keyPath: path])
                return value.isNull ? nil : value
            })
    }
}
