// SPDX-License-Identifier: Apache-2.0
import Venue

/// An IPv4 address of an interface, and the network that it is in.
public struct InterfaceNetwork: Hashable, Sendable {
    public let interface: String
    public let address: NumericAddress
    /// 0...32.
    public let prefixLength: Int

    public init(_ interface: String, _ address: NumericAddress, prefixLength: Int) {
        precondition(!address.isIPv6 && (0...32).contains(prefixLength))
        (self.interface, self.address, self.prefixLength) = (interface, address, prefixLength)
    }

    /// The IPv4 networks of an interface as they are now; empty if there is no such interface.
    public static func all(of interface: String) -> [InterfaceNetwork] {
        InterfaceAddress.all().compactMap { own in
            guard own.interface == interface, !own.address.isIPv6, let netmask = own.netmask, !netmask.isIPv6
            else { return nil }
            return InterfaceNetwork(interface, own.address, prefixLength: netmask.low.nonzeroBitCount)
        }
    }

    public func contains(_ other: NumericAddress) -> Bool {
        guard !other.isIPv6 else { return false }
        let mask = prefixLength == 0 ? 0 : UInt64(UInt32.max << (32 - UInt32(prefixLength)))
        return address.low & mask == other.low & mask
    }
}
