// SPDX-License-Identifier: Apache-2.0
import Venue

/// An address and how many of its bits are those of its network: `192.0.2.10/24`.
public struct AddressWithPrefix: Hashable, Sendable {
    public let address: NumericAddress
    /// 1...30 or 32 of IPv4, 1...128 of IPv6.
    public let length: Int

    /// Whether `other` is in the same network.
    public func contains(_ other: NumericAddress) -> Bool {
        other.isIPv6 == address.isIPv6 && masked(other) == masked(address)
    }

    /// Whether the address is that of one host on a link.
    var isOfHost: Bool { address.isUnicast && !isLoopback && isHost(address) }

    /// Whether `other`, which is in this network, is neither its number nor, of IPv4, that of all hosts in it.
    func isHost(_ other: NumericAddress) -> Bool {
        guard other.isUnicast else { return false }
        guard !other.isIPv6 else { return length == 128 || masked(other) != other }
        guard length < 31 else { return true }
        let hosts = UInt64(UInt32.max) >> UInt64(length)
        return other.low & hosts != 0 && other.low & hosts != hosts
    }

    private var isLoopback: Bool {
        address.isIPv6 ? address.high == 0 && address.low == 1 : address.low >> 24 == 127
    }

    /// The number of the network in which an address with this prefix is.
    private func masked(_ other: NumericAddress) -> NumericAddress {
        guard other.isIPv6 else {
            let mask = UInt64(UInt32.max) << UInt64(32 - length) & UInt64(UInt32.max)
            return NumericAddress(v4: UInt32(truncatingIfNeeded: other.low & mask))
        }
        let high = length >= 64 ? UInt64.max : UInt64.max << UInt64(64 - length)
        let low = length <= 64 ? 0 : UInt64.max << UInt64(128 - length)
        return NumericAddress(v6: other.high & high, other.low & low)
    }
}

extension AddressWithPrefix: LosslessStringConvertible {
    public var description: String { "\(address)/\(length)" }

    /// Accepts an address as `NumericAddress` does, a slash, and a decimal number without leading zeros.
    public init?(_ text: String) {
        guard text.utf8.count <= 49, let slash = text.firstIndex(of: "/"),
            let address = NumericAddress(String(text[..<slash]))
        else { return nil }
        let digits = text[text.index(after: slash)...].utf8
        guard (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.first != 0x30, let length = Int(text[text.index(after: slash)...]),
            length <= (address.isIPv6 ? 128 : 32)
        else { return nil }
        self.address = address
        self.length = length
    }
}
