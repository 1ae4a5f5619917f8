// SPDX-License-Identifier: Apache-2.0
import Hosting
import NetworkPlan

/// How the box reaches the venue's network.
extension NetworkPlan: SettingsSection {
    public static let name = "uplink"
    public static let help = """
        The box's own network: address, VLAN, WiFi, 802.1X, name and time servers. By default everything is as the image \
        has it: DHCP on each wire. See config/NETWORK.md.
        """
}
