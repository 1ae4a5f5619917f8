// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Two access points and a client of the guest's simulated radios (mac80211_hwsim), run by hostapd and wpa_supplicant.
final class SimulatedVenue {
    static let client = "wlan0"
    static let accessPoints = ["wlan1", "wlan2"]

    private let folder = FileManager.default.temporaryDirectory.appending(path: "venue-\(UUID())")

    /// Begins with both access points; the client is at none.
    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (place, name) in Self.accessPoints.enumerated() {
            try write(
                "\(name).conf",
                """
                interface=\(name)
                driver=nl80211
                ssid=Venue
                hw_mode=g
                channel=\(place == 0 ? 1 : 6)
                ieee80211n=1
                wmm_enabled=1
                ctrl_interface=\(folder.path)/hostapd
                """)
            start("/usr/sbin/hostapd", "\(name).conf", name)
        }
        try write(
            "client.conf",
            """
            ctrl_interface=\(folder.path)/client
            network={
                ssid="Venue"
                key_mgmt=NONE
                scan_freq=2412 2437
            }
            """)
    }

    /// The client looks for the strongest access point and associates with it.
    func join() {
        start("/usr/sbin/wpa_supplicant", "-i \(Self.client) -D nl80211 -c client.conf", Self.client)
    }

    /// What wpa_cli says to a command for the client.
    @discardableResult
    func client(_ command: String) -> String {
        Self.shell("wpa_cli -p \(folder.path)/client -i \(Self.client) \(command)")
    }

    @discardableResult
    func accessPoint(_ name: String, _ command: String) -> String {
        Self.shell("hostapd_cli -p \(folder.path)/hostapd -i \(name) \(command)")
    }

    /// Ends the programs that this venue has started.
    func close() {
        Self.shell(
            """
            cd \(folder.path) && for f in *.pid; do kill $(cat $f); while [ -e $f ]; do sleep 0.1; done; done
            """)
        try? FileManager.default.removeItem(at: folder)  // the machine goes anyway
    }

    private func write(_ name: String, _ text: String) throws {
        try Data((text + "\n").utf8).write(to: folder.appending(path: name))
    }

    /// In the background; it removes the file with its process id when it ends.
    private func start(_ program: String, _ arguments: String, _ name: String) {
        Self.shell("cd \(folder.path) && \(program) -B -P \(folder.path)/\(name).pid \(arguments) >\(name).log 2>&1")
    }

    /// How strong every radio is heard, in dBm.
    static func hear(at signal: Int) {
        // The simulator adds the 20 dBm at which every radio sends; its file takes numbers without a sign.
        let number = UInt64(bitPattern: Int64(signal - 20))
        shell("for f in /sys/kernel/debug/ieee80211/phy*/hwsim/rx_rssi; do echo \(number) >$f; done")
    }

    /// What a command writes to its output.
    @discardableResult
    static func shell(_ command: String) -> String {
        guard let pipe = popen(command, "r") else { return "" }
        defer { pclose(pipe) }
        var octets: [UInt8] = []
        while true {
            let octet = fgetc(pipe)
            guard octet != EOF else { return String(decoding: octets, as: UTF8.self) }
            octets.append(UInt8(truncatingIfNeeded: octet))
        }
    }
}
