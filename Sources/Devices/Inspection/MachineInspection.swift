// SPDX-License-Identifier: Apache-2.0
import Diagnosing
import System

/// Reads what the kernel tells of the machine, from files of `/sys` and `/proc`. What is not there is unknown.
/// - Thread: any that may wait for a disk.
public struct MachineInspection: Sendable {
    /// Octets below which a file system is full: nothing of use can be written.
    private static let leastSpace: Int64 = 64 << 10
    /// Limits of what is looked at, each far more than a box has.
    private static let (mostFiles, mostTrips) = (64, 16)

    private let root: String

    /// - Parameter root: in front of all paths of `/sys` and `/proc`; tests have files of their own.
    public init(root: String = "") { self.root = root }

    /// - Parameter directories: which the service writes to. One that is not there is left out.
    public func evidence(storing directories: [String]) -> Evidence.Machine {
        var machine = Evidence.Machine()
        machine.isUndervolted = isUndervolted
        machine.temperature = temperature
        machine.memory = memory
        machine.connectors = connectors
        machine.storages = directories.compactMap(Self.storage)
        return machine
    }

    // MARK: Files

    /// Names in a directory of the kernel that begin so, sorted.
    private func names(in directory: String, beginning prefix: String) -> [String] {
        let all = (try? DurableFile.names(in: root + directory)) ?? []  // not there
        return Array(all.filter { $0.hasPrefix(prefix) }.sorted().prefix(Self.mostFiles))
    }

    /// The first line of a file; nil if it cannot be read, which many drivers answer while they have nothing to say.
    private func line(_ path: String) -> String? {
        guard let octets = (try? DurableFile.read(root + path)) ?? nil else { return nil }
        return String(decoding: octets.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    private func number(_ path: String) -> Int? { line(path).flatMap { Int($0) } }

    // MARK: Machine

    /// By the critical alarms of the sensors of voltage, as a Raspberry Pi has one.
    private var isUndervolted: Bool? {
        let alarms = names(in: "/sys/class/hwmon", beginning: "hwmon").flatMap { device in
            names(in: "/sys/class/hwmon/\(device)", beginning: "in").filter { $0.hasSuffix("_lcrit_alarm") }
                .compactMap { number("/sys/class/hwmon/\(device)/\($0)") }
        }
        return alarms.isEmpty ? nil : alarms.contains { $0 != 0 }
    }

    private var temperature: Evidence.Machine.Temperature? {
        names(in: "/sys/class/thermal", beginning: "thermal_zone").compactMap { zone in
            let path = "/sys/class/thermal/\(zone)"
            // Drivers without a value say 0 or less.
            guard let now = number("\(path)/temp"), (1_000...200_000).contains(now) else { return nil }
            return Evidence.Machine.Temperature(
                zone: line("\(path)/type") ?? zone, milliCelsius: now, critical: critical(path))
        }.max { one, other in one.margin > other.margin }
    }

    private func critical(_ zone: String) -> Int? {
        (0..<Self.mostTrips).lazy.filter { line("\(zone)/trip_point_\($0)_type") == "critical" }
            .compactMap { number("\(zone)/trip_point_\($0)_temp") }.first { (20_000...200_000).contains($0) }
    }

    private var memory: Evidence.Machine.Memory? {
        guard let octets = (try? DurableFile.read(root + "/proc/meminfo")) ?? nil else { return nil }
        let text = String(decoding: octets, as: UTF8.self)
        guard let total = AvailableMemory.octets("MemTotal", in: text),
            let available = AvailableMemory.octets("MemAvailable", in: text)
        else { return nil }
        return Evidence.Machine.Memory(available: Int64(available), total: Int64(total))
    }

    /// Connectors are named with their card, as `card0-HDMI-A-1`.
    private var connectors: [Evidence.Machine.Connector]? {
        let cards = names(in: "/sys/class/drm", beginning: "card")
        guard !cards.isEmpty else { return nil }
        return cards.compactMap { name in
            guard let dash = name.firstIndex(of: "-"), let status = line("/sys/class/drm/\(name)/status") else {
                return nil
            }
            let connector = String(name[name.index(after: dash)...])
            guard !connector.hasPrefix("Writeback") else { return nil }
            return Evidence.Machine.Connector(connector, isConnected: status == "connected")
        }
    }

    private static func storage(_ path: String) -> Evidence.Machine.Storage? {
        // A directory that is not there says nothing.
        guard let space = try? FileSystemSpace(of: path) else { return nil }
        if space.isReadOnly { return Evidence.Machine.Storage(path: path, .isReadOnly) }
        if space.available < leastSpace || space.lacksInodes { return Evidence.Machine.Storage(path: path, .isFull) }
        return Evidence.Machine.Storage(path: path, .space(available: space.available))
    }
}

extension Evidence.Machine.Temperature {
    /// Thousandths of a degree to the critical temperature, or to 100 °C where that is not known.
    fileprivate var margin: Int { (critical ?? 100_000) - milliCelsius }
}
