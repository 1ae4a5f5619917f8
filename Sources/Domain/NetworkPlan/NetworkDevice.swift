// SPDX-License-Identifier: Apache-2.0

/// A wire or a radio that the box has.
public struct NetworkDevice: Hashable, Sendable {
    public let name: InterfaceName
    public let isWireless: Bool

    public init(_ name: InterfaceName, isWireless: Bool) {
        self.name = name
        self.isWireless = isWireless
    }
}
