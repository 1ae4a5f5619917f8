// SPDX-License-Identifier: Apache-2.0
import System
import Venue

extension Uplink {
    /// Those that the service may use: the interface that settings name, there or not; else all of the box's hardware.
    static func current(named interface: String?) -> [Uplink] {
        let all = NetworkInterface.all()
        guard let interface else { return all.filter(\.isHardware).map { Uplink($0.name, isUp: $0.isUp) } }
        return [Uplink(interface, isUp: all.contains { $0.name == interface && $0.isUp })]
    }

    /// One that is gone is known by its name: systemd's and the kernel's radios are `wl…`.
    private init(_ name: String, isUp: Bool) {
        let isWireless = NetworkInterface.isWireless(name) || name.utf8.starts(with: "wl".utf8)
        self.init(name: name, kind: isWireless ? .wifi : .wired, isUp: isUp)
    }
}
