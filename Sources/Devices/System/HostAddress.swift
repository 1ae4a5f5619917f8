// SPDX-License-Identifier: Apache-2.0
import CSystemShims

/// The address under which the host is reached on its network.
public enum HostAddress {
    /// The first IPv4 address of an interface, or of any interface but loopback if `interface` is empty; nil if there
    /// is none.
    public static func first(of interface: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            text.initialize(repeating: 0)
            guard let base = text.baseAddress, touchline_first_address(interface, base, 64) == 1 else { return nil }
            return String(cString: base)
        }
    }
}
