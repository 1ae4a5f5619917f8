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

    /// All but those of playback and health, and those that show their effect at the next start.
    @Test func receptionScreenAndSound() async throws {
        try await Self.check(0) { venue, trials, leaves in
            let run = try SettingsRun(venue, venue.settings)
            let (now, later) = Self.split(leaves.filter { !Self.isOfPlayback($0, trials) }, trials)
            for step in Self.steps(now) { try run.change(step) }
            for leaf in later { try run.change([leaf]) }
            try run.restart()
            #expect(run.box.end() == .ok)
            return run.table
        }
    }

    @Test func playbackAndHealth() async throws {
        try await Self.check(1) { venue, trials, leaves in
            let leaves = leaves.filter { Self.isOfPlayback($0, trials) }
            var table: [[String]] = []
            let scenes = [
                (leaves.filter { !Self.isOfUplink($0) }, venue.settings),
                (leaves.filter(Self.isOfUplink), venue.settingsWithoutUplink),
            ]
            for (leaves, settings) in scenes {
                let run = try SettingsRun(venue, settings)
                for step in Self.steps(leaves) { try run.change(step) }
                #expect(run.box.end() == .ok)
                table += run.table
            }
            return table
        }
    }

    private typealias Rows = @Sendable (_ venue: SettingsVenue, [SettingTrial], [SettingLeaf]) throws -> [[String]]

    /// Waits most of its time, on a thread of its own: those of the concurrency pool are for the tests that compute.
    private static func check(_ number: UInt16, _ rows: @escaping Rows) async throws {
        try await onThread { Result { try checkAndWait(number, rows) } }.get()
    }

    /// Checks that the rows are those of all settings that either test takes, and prints them.
    private static func checkAndWait(_ number: UInt16, _ rows: Rows) throws {
        let venue = try SettingsVenue(number)
        defer { venue.stop() }
        let trials = try SettingTrial.all(venue)
        // The version has only one value.
        let leaves = SettingLeaf.all(of: Box.catalogue.settings).filter { $0.path != "version" }
        let unknown = trials.map(\.path).filter { path in !leaves.contains { $0.path == path } }
        #expect(unknown.isEmpty, "no such settings")
        let table = try rows(venue, trials, leaves)
        print(text(of: [titles] + table))
        let isTaken = { (leaf: SettingLeaf) in isOfPlayback(leaf, trials) == (number == 1) }
        #expect(Set(table.map { $0[0] }) == Set(leaves.filter(isTaken).map(\.path)), "a row for each setting")
    }

    /// Those whose effect is seen at once, and those that wait for a start.
    private static func split(
        _ leaves: [SettingLeaf], _ trials: [SettingTrial]
    ) -> (now: [SettingLeaf], later: [SettingLeaf]) {
        (leaves.filter { !waits($0, trials) }, leaves.filter { waits($0, trials) })
    }

    private static func waits(_ leaf: SettingLeaf, _ trials: [SettingTrial]) -> Bool {
        leaf.promise == .needsRestart || trials.contains { $0.path == leaf.path && $0.isAtStart }
    }

    private static func isOfPlayback(_ leaf: SettingLeaf, _ trials: [SettingTrial]) -> Bool {
        !waits(leaf, trials) && ["playback.", "health."].contains { leaf.path.hasPrefix($0) }
    }

    private static func isOfUplink(_ leaf: SettingLeaf) -> Bool { leaf.path.hasPrefix("health.wifiDown.") }

    /// The table for people, in columns.
    private static func text(of table: [[String]]) -> String {
        let widths = table[0].indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        return table.map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
