// SPDX-License-Identifier: Apache-2.0

/// An attribute of netlink, as the kernel writes it: in the machine's byte order.
public struct NetlinkAttribute: Sendable {
    /// `nla_type`, without its flags.
    public var type: UInt16
    /// Set in `nla_type` when other attributes are in the value (NLA_F_NESTED).
    public var isNested = false
    public var value: [UInt8]

    public init(_ type: UInt16, _ value: [UInt8]) {
        self.type = type
        self.value = value
    }

    public static func octets(_ type: UInt16, _ value: [UInt8]) -> Self { Self(type, value) }

    public static func u8(_ type: UInt16, _ value: UInt8) -> Self { Self(type, [value]) }
    public static func s8(_ type: UInt16, _ value: Int8) -> Self { Self(type, [UInt8(bitPattern: value)]) }
    public static func u16(_ type: UInt16, _ value: UInt16) -> Self { Self(type, [UInt8](native: value)) }
    public static func u32(_ type: UInt16, _ value: UInt32) -> Self { Self(type, [UInt8](native: value)) }
    public static func s32(_ type: UInt16, _ value: Int32) -> Self { Self(type, [UInt8](native: value)) }
    public static func u64(_ type: UInt16, _ value: UInt64) -> Self { Self(type, [UInt8](native: value)) }

    /// With the zero at its end.
    public static func text(_ type: UInt16, _ value: String) -> Self { Self(type, Array(value.utf8) + [0]) }

    public static func flag(_ type: UInt16) -> Self { Self(type, []) }

    public static func nested(_ type: UInt16, _ attributes: [NetlinkAttribute]) -> Self {
        var attribute = Self(type, attributes.flatMap(\.octets))
        attribute.isNested = true
        return attribute
    }

    /// `nla_len`: octets of header and value.
    public var length: Int { 4 + value.count }

    /// Header and value, and zeros up to the next multiple of 4.
    public var octets: [UInt8] {
        var octets = [UInt8](native: UInt16(length))
        octets += [UInt8](native: isNested ? type | 0x8000 : type)
        octets += value
        octets += [UInt8](repeating: 0, count: -length & 3)
        return octets
    }
}
