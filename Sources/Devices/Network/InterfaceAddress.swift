// SPDX-License-Identifier: Apache-2.0
import Glibc
import Venue

/// One address of an interface of this machine.
struct InterfaceAddress {
    let interface: String
    let address: NumericAddress
    /// nil if the kernel tells none.
    let netmask: NumericAddress?

    /// All addresses as they are now; empty if the kernel does not report them.
    static func all() -> [InterfaceAddress] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [InterfaceAddress] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let name = entry.ifa_name, let address = value(entry.ifa_addr) else { continue }
            found.append(
                InterfaceAddress(
                    interface: String(cString: name), address: address, netmask: value(entry.ifa_netmask)))
        }
        return found
    }

    /// nil for an address that is neither IPv4 nor IPv6.
    private static func value(_ socket: UnsafeMutablePointer<sockaddr>?) -> NumericAddress? {
        guard let socket else { return nil }
        let bytes = UnsafeRawPointer(socket)
        switch Int32(socket.pointee.sa_family) {
        case AF_INET:
            return NumericAddress(v4: UInt32(bigEndian: bytes.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6:
            return withUnsafeBytes(of: bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { octets in
                NumericAddress(
                    v6: UInt64(bigEndian: octets.loadUnaligned(as: UInt64.self)),
                    UInt64(bigEndian: octets.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
            }
        default: return nil
        }
    }
}
