// SPDX-License-Identifier: Apache-2.0
import Venue

/// What the kernel says of the interfaces of this machine.
public enum LocalInterface {
    /// The interface that has an address.
    /// - Returns: its name; nil if no interface has the address now.
    public static func name(of address: NumericAddress) -> String? {
        InterfaceAddress.all().first { $0.address == address }?.interface
    }

    /// The addresses that an interface has now, link-local ones of IPv6 with their zone; empty if there is no such
    /// interface.
    public static func addresses(of interface: String) -> [String] {
        InterfaceAddress.all().filter { $0.interface == interface }.map { entry in
            let text = entry.address.description
            return text.hasPrefix("fe80:") ? "\(text)%\(interface)" : text
        }
    }

    /// The addresses of an interface with the lengths of their prefixes, as `192.0.2.10/24`; empty if there is no such
    /// interface.
    public static func addressesWithPrefix(of interface: String) -> [String] {
        InterfaceAddress.all().compactMap { own in
            guard own.interface == interface else { return nil }
            let bits = own.netmask.map { $0.high.nonzeroBitCount + $0.low.nonzeroBitCount }
            return bits.map { "\(own.address)/\($0)" } ?? own.address.description
        }
    }
}
