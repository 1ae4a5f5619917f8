// SPDX-License-Identifier: Apache-2.0
import Diagnosing
import System

extension Evidence.Network.Interface {
    /// What the kernel's list of interfaces says.
    /// - Parameter addresses: its addresses, without the lengths of their prefixes.
    public init(_ own: NetworkInterface, addresses: [String]) {
        self.init(own.name)
        // systemd and the kernel call radios so. Whoever is in another namespace does not see their drivers.
        isWireless = own.isWireless || own.name.hasPrefix("wl")
        isLoopback = own.isLoopback
        isHardware = own.isHardware || own.isVLAN
        (isUp, hasCarrier) = (own.isSwitchedOn, own.hasCarrier)
        self.addresses = addresses
    }
}
