// SPDX-License-Identifier: Apache-2.0
import Glibc
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

    /// Those of an interface as they are now; empty if there is no such interface.
    public static func all(of interface: String) -> [InterfaceNetwork] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [InterfaceNetwork] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let name = entry.ifa_name, String(cString: name) == interface,
                let address = value(entry.ifa_addr), let mask = value(entry.ifa_netmask)
            else { continue }
            found.append(
                InterfaceNetwork(interface, NumericAddress(v4: address), prefixLength: mask.nonzeroBitCount))
        }
        return found
    }

    public func contains(_ other: NumericAddress) -> Bool {
        guard !other.isIPv6 else { return false }
        let mask = prefixLength == 0 ? 0 : UInt64(UInt32.max << (32 - UInt32(prefixLength)))
        return address.low & mask == other.low & mask
    }

    /// nil for an address of another family.
    private static func value(_ address: UnsafeMutablePointer<sockaddr>?) -> UInt32? {
        guard let address, address.pointee.sa_family == sa_family_t(AF_INET) else { return nil }
        return UnsafeRawPointer(address).withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
        }
    }
}
