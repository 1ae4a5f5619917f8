// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// Which boxes an order is for.
public enum OrderTarget: Hashable, Sendable, CustomStringConvertible {
    /// The box with this id.
    case box(String)
    /// Boxes whose `push.group` this is.
    case group(String)
    /// Boxes that have this among their `box.tags`.
    case tag(String)
    case all

    public var json: JSONValue {
        switch self {
        case .box(let id): ["box": .string(id)]
        case .group(let name): ["group": .string(name)]
        case .tag(let name): ["tag": .string(name)]
        case .all: ["all": true]
        }
    }

    public var description: String {
        switch self {
        case .box(let id): "box \(id)"
        case .group(let name): "group \(name)"
        case .tag(let name): "tag \(name)"
        case .all: "all"
        }
    }
}

extension OrderTarget {
    static let kind = ValueKind.record([
        FieldDescription("box", .text(1...64), .optional, "Id of one box."),
        FieldDescription("group", .text(1...64), .optional, "Name of a group of boxes."),
        FieldDescription("tag", .text(1...64), .optional, "Tag of boxes."),
        FieldDescription("all", .boolean, .optional, "Every box."),
    ])

    /// What the JSON Schema of the kind does not say: there is one member, and `all` is true.
    static let schemaPatch: JSONValue = .object([
        "oneOf": EnvelopeSchema.exactlyOne(of: ["box", "group", "tag", "all"]),
        "properties": ["all": ["enum": [true, .null], "type": .null]],
    ])

    /// Reads the member `target`, which the kind accepts.
    init(_ document: JSONValue) throws(EnvelopeError) {
        let given = (document.object ?? [:]).filter { !$0.value.isNull }
        let text = given.first?.value.string
        switch (given.count, given.keys.first) {
        case (1, "box"): self = .box(text ?? "")
        case (1, "group"): self = .group(text ?? "")
        case (1, "tag"): self = .tag(text ?? "")
        case (1, "all") where given["all"] == true: self = .all
        case (1, "all"): throw .invalid([Problem(path: "/target/all", value: false, expectation: "true")])
        default:
            throw .invalid([Problem(path: "/target", value: document, expectation: "one of all, box, group and tag")])
        }
    }
}
