// SPDX-License-Identifier: Apache-2.0
import JSON

extension SettingTrial {
    /// What the helper does with them is seen in its files.
    static func ofUplink(_ venue: SettingsVenue) -> [SettingTrial] {
        func hasFile(_ name: String) -> Look { { _ in venue.networkHelper.fileNames.contains(name) } }
        func says(_ line: String) -> Look {
            { _ in venue.networkHelper.networkdFile("60-touchline-eth0.network")?.contains("\n\(line)\n") ?? false }
        }
        return [
            SettingTrial(
                "uplink.wired", ["vlan": 20], by: "networkd's files: the VLAN",
                isSeen: hasFile("60-touchline-vlan20.netdev")),
            SettingTrial(
                "uplink.wifi", ["ssid": "Venue"], by: "wpa_supplicant's file", isSeen: hasFile("wifi-wlan0.conf")),
            SettingTrial("uplink.dns", ["192.0.2.53"], by: "networkd's file", isSeen: says("DNS=192.0.2.53")),
            SettingTrial(
                "uplink.searchDomains", ["venue.example"], by: "networkd's file", isSeen: says("Domains=venue.example")),
            SettingTrial(
                "uplink.ntp", ["ntp.venue.example"], by: "networkd's file", isSeen: says("NTP=ntp.venue.example")),
        ]
    }

    static var ofSyslog: [SettingTrial] {
        [
            SettingTrial("syslog.collector", "127.0.0.1", by: "stats: lines are sent") { box in
                try box.answer("stats").at("/stats/syslog/sent")?.integer ?? 0 > 0
            }.given(["log": ["level": "notice"]]),
            SettingTrial("syslog.port", 1_514, by: "what comes to it, in SyslogForwardingTests"),
        ]
    }
}
