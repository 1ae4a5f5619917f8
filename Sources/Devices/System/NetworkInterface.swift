// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A network interface of this namespace, as it was when it was asked for.
public struct NetworkInterface: Hashable, Sendable {
    public let name: String
    /// `IFF_UP`, `IFF_LOOPBACK`, `IFF_RUNNING` and others.
    private let flags: CUnsignedInt

    /// Whether it is switched on.
    public var isSwitchedOn: Bool { flags & 0x1 != 0 }
    /// Whether it can carry packets; a WiFi interface is associated then.
    public var hasCarrier: Bool { flags & 0x40 != 0 }
    public var isLoopback: Bool { flags & 0x8 != 0 }
    /// Administratively up and with a carrier; a WiFi interface is associated.
    public var isUp: Bool { isSwitchedOn && hasCarrier }

    /// All interfaces; empty if the kernel does not report them.
    public static func all() -> [NetworkInterface] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [NetworkInterface] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            // An interface has one entry for its link, and one for each of its addresses.
            guard entry.ifa_addr?.pointee.sa_family == sa_family_t(AF_PACKET), let name = entry.ifa_name else {
                continue
            }
            found.append(NetworkInterface(name: String(cString: name), flags: entry.ifa_flags))
        }
        return found
    }

    public var isWireless: Bool { Self.isWireless(name) }

    /// Whether a device stands behind it; false for bridges, tunnels, veth pairs and loopback.
    public var isHardware: Bool { access("/sys/class/net/\(name)/device", F_OK) == 0 }

    /// Whether it is a VLAN, which is on another interface.
    public var isVLAN: Bool { access("/proc/net/vlan/\(name)", F_OK) == 0 }

    /// Also false if there is no interface of that name.
    public static func isWireless(_ name: String) -> Bool { access("/sys/class/net/\(name)/phy80211", F_OK) == 0 }
}
