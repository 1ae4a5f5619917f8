// SPDX-License-Identifier: Apache-2.0
import Venue

/// The interface that has an address of this machine.
public enum LocalInterface {
    /// - Returns: its name; nil if no interface has the address now.
    public static func name(of address: NumericAddress) -> String? {
        InterfaceAddress.all().first { $0.address == address }?.interface
    }
}
