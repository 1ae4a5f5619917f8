// SPDX-License-Identifier: Apache-2.0
import JSON

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
