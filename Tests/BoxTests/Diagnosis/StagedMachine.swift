// SPDX-License-Identifier: Apache-2.0
import Foundation
import Inspection
import System

@testable import Box

/// Files as the kernel has them, of a machine that is well or not.
struct StagedMachine {
    let root: String

    /// - Parameters:
    ///   - change: other files, or others in their place.
    ///   - directory: where the files are; nil for one of its own.
    init(_ change: [String: String] = [:], in directory: String? = nil) throws {
        root = directory ?? "/tmp/touchline-machine-\(UUID().uuidString)"
        let well = [
            "/sys/class/thermal/thermal_zone0/type": "cpu-thermal", "/sys/class/thermal/thermal_zone0/temp": "51000",
            "/sys/class/thermal/thermal_zone0/trip_point_0_type": "critical",
            "/sys/class/thermal/thermal_zone0/trip_point_0_temp": "90000",
            "/sys/class/hwmon/hwmon0/in0_lcrit_alarm": "0",
            "/proc/meminfo": "MemTotal: 1048576 kB\nMemAvailable: 524288 kB\n",
        ]
        for (path, text) in well.merging(change, uniquingKeysWith: { $1 }) {
            try DurableFile.makeDirectory(DurableFile.parent(of: root + path))
            try DurableFile.write(Array((text + "\n").utf8), to: root + path)
        }
    }

    /// Another machine for a box, whose files go with the box's.
    static func change(_ options: inout BoxOptions, _ files: [String: String]) throws {
        let machine = try StagedMachine(files, in: DurableFile.parent(of: options.configuration) + "/machine")
        options.inspection = MachineInspection(root: machine.root)
    }

    func remove() { try? FileManager.default.removeItem(atPath: root) }  // a leftover in /tmp hurts nobody
}
