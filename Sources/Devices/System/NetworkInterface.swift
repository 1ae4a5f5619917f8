// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A network interface of this namespace, as it is when it is asked for.
public struct NetworkInterface: Hashable, Sendable {
    public let name: String
    /// Not shut, and with a carrier; of a radio: associated.
    public let isUp: Bool

    /// IFF_UP and IFF_RUNNING.
    private static let upFlags: CUnsignedInt = 0x41

    /// None when the kernel does not say.
    public static func all() -> [NetworkInterface] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [NetworkInterface] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            // Each has one entry of its link, and one for each of its addresses.
            guard entry.ifa_addr?.pointee.sa_family == sa_family_t(AF_PACKET), let name = entry.ifa_name else {
                continue
            }
            found.append(
                NetworkInterface(
                    name: String(cString: name), isUp: entry.ifa_flags & upFlags == upFlags))
        }
        return found
    }

    public var isWireless: Bool { Self.isWireless(name) }

    /// Bridges, tunnels, pairs and loopback are not.
    public var isHardware: Bool { access("/sys/class/net/\(name)/device", F_OK) == 0 }

    /// False as well when there is none of that name.
    public static func isWireless(_ name: String) -> Bool { access("/sys/class/net/\(name)/phy80211", F_OK) == 0 }
}
