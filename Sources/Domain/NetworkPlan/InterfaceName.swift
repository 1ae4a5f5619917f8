// SPDX-License-Identifier: Apache-2.0

/// The name of a network interface, of characters that mean nothing else in a unit's name, a path or a file of networkd.
public struct InterfaceName: Hashable, Sendable, LosslessStringConvertible, Comparable {
    public let description: String

    public init?(_ text: String) {
        let octets = text.utf8
        guard (1...15).contains(octets.count), let first = octets.first, Self.isAlphanumeric(first),
            octets.allSatisfy({ Self.isAlphanumeric($0) || $0 == 0x2e || $0 == 0x5f || $0 == 0x2d })
        else { return nil }
        description = text
    }

    /// - Parameter vlan: 1...4094.
    public init(ofVLAN vlan: Int) { description = "vlan\(vlan)" }

    public static func < (a: InterfaceName, b: InterfaceName) -> Bool { a.description < b.description }

    private static func isAlphanumeric(_ octet: UInt8) -> Bool {
        (0x30...0x39).contains(octet) || (0x61...0x7a).contains(octet | 0x20)
    }
}
