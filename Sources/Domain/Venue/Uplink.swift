// SPDX-License-Identifier: Apache-2.0
import JSON

/// A way from the box into the venue's network, as the kernel has it (SVM-05, 93).
public struct Uplink: Hashable, Sendable {
    public enum Kind: String, Sendable, CaseIterable { case wifi, wired }

    /// Of the interface.
    public var name: String
    public var kind: Kind
    /// There is a carrier, or the interface is associated; false as well when there is no such interface.
    public var isUp: Bool

    public init(name: String, kind: Kind, isUp: Bool) {
        self.name = name
        self.kind = kind
        self.isUp = isUp
    }

    public var json: JSONValue {
        ["name": .string(name), "kind": .string(kind.rawValue), "isUp": .bool(isUp)]
    }
}
