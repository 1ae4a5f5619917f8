// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import TestSupport
import Testing

@testable import Box

/// Every setting, changed while a channel plays (SVM-12, SVM-18, SVM-19, SVM-20, SVM-22): by the socket and by HTTP
/// in turn, and restored by the other. It is shown and explained, has its effect, and interrupts no more than its
/// description promises. The settings are those of the catalogue, so that a new one is tried without being listed.
@Suite(.enabled(if: Groups.canBeJoined)) struct EverySettingTests {
    /// Settings of the monitor are changed by three patches, because each change opens the channel again. A clock
    /// reference that is too far from the one before says nothing of its accuracy.
    private static let patches = [
        "reception.monitor.alarms.", "reception.monitor.pcrAccuracyNs", "reception.monitor.",
    ]

    private static func steps(_ leaves: [SettingLeaf]) -> [[SettingLeaf]] {
        var steps: [[SettingLeaf]] = []
        var rest = leaves
        for prefix in patches {
            steps.append(rest.filter { $0.path.hasPrefix(prefix) })
            rest.removeAll { $0.path.hasPrefix(prefix) }
        }
        return steps.filter { !$0.isEmpty } + rest.map { [$0] }
    }

    private static let titles = ["setting", "value", "by", "promised", "seen", "effect seen by"]

    /// Settings that are tried by one box, on ports of their own.
    private enum Part: UInt16 {
        case reception, screenAndSound, playback, health
        /// What health says while a radio has no network.
        case radioDown
        /// Those that show their effect at the next start.
        case start

        init(of leaf: SettingLeaf, _ trials: [SettingTrial]) {
            let isAtStart = trials.contains { $0.path == leaf.path && $0.isAtStart }
            func isOf(_ sections: String...) -> Bool { sections.contains { leaf.path.hasPrefix("\($0).") } }
            if leaf.promise == .needsRestart || isAtStart {
                self = .start
            } else if isOf("health.wifiDown") {
                self = .radioDown
            } else if isOf("playback") {
                self = .playback
            } else if isOf("health") {
                self = .health
            } else {
                self = isOf("reception", "network", "announcements", "data") ? .reception : .screenAndSound
            }
        }
    }

    @Test func reception() async throws { try await Self.check(.reception) }

    @Test func screenAndSound() async throws { try await Self.check(.screenAndSound) }

    @Test func playback() async throws { try await Self.check(.playback) }

    @Test func health() async throws { try await Self.check(.health) }

    @Test func healthOfARadio() async throws { try await Self.check(.radioDown) }

    @Test func theNextStart() async throws { try await Self.check(.start) }

    /// Waits most of its time, on a thread of its own: those of the concurrency pool are for the tests that compute.
    private static func check(_ part: Part) async throws {
        try await onThread { Result { try checkAndWait(part) } }.get()
    }

    /// Checks that the rows are those of all settings of this part, and prints them.
    private static func checkAndWait(_ part: Part) throws {
        let venue = try SettingsVenue(part.rawValue)
        defer { venue.stop() }
        let trials = try SettingTrial.all(venue)
        // The version has only one value.
        let all = SettingLeaf.all(of: Box.catalogue.settings).filter { $0.path != "version" }
        let unknown = trials.map(\.path).filter { path in !all.contains { $0.path == path } }
        #expect(unknown.isEmpty, "no such settings")
        let leaves = all.filter { Part(of: $0, trials) == part }
        let run = try SettingsRun(venue, part == .radioDown ? venue.settingsWithoutUplink : venue.settings)
        if part == .start {
            for leaf in leaves { try run.change([leaf]) }
            try run.restart()
        } else {
            for step in steps(leaves) { try run.change(step) }
        }
        #expect(run.box.end() == .ok)
        print(text(of: [titles] + run.table))
        #expect(Set(run.table.map { $0[0] }) == Set(leaves.map(\.path)), "a row for each setting")
    }

    /// The table for people, in columns.
    private static func text(of table: [[String]]) -> String {
        let widths = table[0].indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        return table.map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
