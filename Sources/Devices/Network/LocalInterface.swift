// SPDX-License-Identifier: Apache-2.0
import Glibc
import Venue

/// The interface that has an address of this machine.
public enum LocalInterface {
    /// - Returns: its name; nil if no interface has the address now.
    public static func name(of address: NumericAddress) -> String? {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let own = entry.ifa_addr, let name = entry.ifa_name, Self.address(own) == address else { continue }
            return String(cString: name)
        }
        return nil
    }

    /// nil for an address of another family.
    private static func address(_ socket: UnsafeMutablePointer<sockaddr>) -> NumericAddress? {
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
