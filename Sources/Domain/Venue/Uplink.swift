// SPDX-License-Identifier: Apache-2.0

/// A network interface by which the box reaches the venue's network, as the kernel reports it (SVM-05, 93).
public struct Uplink: Hashable, Sendable {
    public enum Kind: String, Sendable, CaseIterable { case wifi, wired }

    /// Name of the interface.
    public var name: String
    public var kind: Kind
    /// Whether the interface has a carrier or is associated; false if it does not exist.
    public var isUp: Bool

    public init(name: String, kind: Kind, isUp: Bool) {
        self.name = name
        self.kind = kind
        self.isUp = isUp
    }
}
