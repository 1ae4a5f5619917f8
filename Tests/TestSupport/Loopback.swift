// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
import Glibc
#endif

/// The loopback interface.
public enum Loopback {
    /// Whether it has `::1`; tests of IPv6 are skipped without.
    public static let hasIPv6: Bool = {
        let made = socket(AF_INET6, CInt(SOCK_DGRAM.rawValue), 0)
        defer { close(made) }
        var own = sockaddr_in6()
        own.sin6_family = sa_family_t(AF_INET6)
        own.sin6_addr = in6addr_loopback
        let size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(made, $0, size) }
        }
        if result != 0 { print("SKIP: the loopback interface has no IPv6") }
        return result == 0
    }()
}
