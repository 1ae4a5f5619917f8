// SPDX-License-Identifier: Apache-2.0
import Diagnosing
import Foundation
import System
import Testing

@testable import Inspection

/// What is read of files as the kernel has them.
struct MachineInspectionTests {
    private func inspect(
        _ files: [String: String], storing directories: [String] = []
    ) throws -> Evidence.Machine {
        let root = "/tmp/touchline-inspection-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }  // a leftover in /tmp hurts nobody
        for (path, text) in files {
            try DurableFile.makeDirectory(DurableFile.parent(of: root + path))
            try DurableFile.write(Array(text.utf8), to: root + path)
        }
        return MachineInspection(root: root).evidence(storing: directories)
    }

    @Test func nothingIsThere() throws {
        let machine = try inspect([:], storing: ["/nowhere/at/all"])
        var expected = Evidence.Machine()
        expected.storages = []
        #expect(machine == expected)
    }

    /// The zone that is nearest to its limit counts.
    @Test func theHottestZone() throws {
        let machine = try inspect([
            "/sys/class/thermal/thermal_zone0/type": "ddr\n", "/sys/class/thermal/thermal_zone0/temp": "70000\n",
            "/sys/class/thermal/thermal_zone0/trip_point_0_type": "critical\n",
            "/sys/class/thermal/thermal_zone0/trip_point_0_temp": "125000\n",
            "/sys/class/thermal/thermal_zone1/type": "cpu-thermal\n",
            "/sys/class/thermal/thermal_zone1/temp": "68000\n",
            "/sys/class/thermal/thermal_zone1/trip_point_0_type": "passive\n",
            "/sys/class/thermal/thermal_zone1/trip_point_0_temp": "60000\n",
            "/sys/class/thermal/thermal_zone1/trip_point_1_type": "critical\n",
            "/sys/class/thermal/thermal_zone1/trip_point_1_temp": "90000\n",
            "/sys/class/thermal/thermal_zone2/temp": "0\n", "/sys/class/thermal/thermal_zone3/temp": "much\n",
            "/sys/class/thermal/thermal_zone4/temp": "99999999999999999999999\n",
        ])
        #expect(machine.temperature == .init(zone: "cpu-thermal", milliCelsius: 68_000, critical: 90_000))
    }

    @Test func voltage() throws {
        let well = "/sys/class/hwmon/hwmon1/in0_lcrit_alarm"
        #expect(try inspect([well: "0\n"]).isUndervolted == false)
        #expect(try inspect([well: "0\n", "/sys/class/hwmon/hwmon2/in3_lcrit_alarm": "1\n"]).isUndervolted == true)
        #expect(try inspect(["/sys/class/hwmon/hwmon1/in0_min_alarm": "1\n"]).isUndervolted == nil)
    }

    @Test func memory() throws {
        let text = "MemTotal:        1024 kB\nMemFree:  5 kB\nMemAvailable:     512 kB\n"
        #expect(try inspect(["/proc/meminfo": text]).memory == .init(available: 512 << 10, total: 1 << 20))
        #expect(try inspect(["/proc/meminfo": "MemTotal: much kB\n"]).memory == nil)
    }

    @Test func connectors() throws {
        let machine = try inspect([
            "/sys/class/drm/card0-HDMI-A-1/status": "connected\n",
            "/sys/class/drm/card0-HDMI-A-2/status": "disconnected\n",
            "/sys/class/drm/card0-Writeback-1/status": "unknown\n", "/sys/class/drm/version": "drm 1.1.0\n",
        ])
        #expect(
            machine.connectors == [.init("HDMI-A-1", isConnected: true), .init("HDMI-A-2", isConnected: false)])
        #expect(try inspect(["/sys/class/drm/version": "drm 1.1.0\n"]).connectors == nil)
    }

    @Test func fileSystems() throws {
        let storages = try inspect([:], storing: ["/tmp", "/proc", "/nowhere"]).storages
        #expect(storages?.map(\.path) == ["/tmp", "/proc"] && storages?.first?.isSpacious == true)
    }
}

extension Evidence.Machine.Storage {
    fileprivate var isSpacious: Bool {
        if case .space(let available) = state { available > 0 } else { false }
    }
}
