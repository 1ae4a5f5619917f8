// SPDX-License-Identifier: Apache-2.0
import System
import Venue

extension Uplink {
    /// The interfaces that the service may use: the one that the settings name, even if it does not exist, or else all
    /// hardware interfaces and the VLANs on them.
    static func current(named interface: String?) -> [Uplink] {
        let all = NetworkInterface.all()
        guard let interface else {
            return all.filter { $0.isHardware || $0.isVLAN }.map { Uplink($0.name, isUp: $0.isUp) }
        }
        return [Uplink(interface, isUp: all.contains { $0.name == interface && $0.isUp })]
    }

    /// The kind of an interface that does not exist is taken from its name: systemd and the kernel call radios `wl…`.
    private init(_ name: String, isUp: Bool) {
        let isWireless = NetworkInterface.isWireless(name) || name.utf8.starts(with: "wl".utf8)
        self.init(name: name, kind: isWireless ? .wifi : .wired, isUp: isUp)
    }
}
