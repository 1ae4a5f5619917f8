// SPDX-License-Identifier: Apache-2.0
import Venue

/// The interface that has an address of this machine.
public enum LocalInterface {
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
}
