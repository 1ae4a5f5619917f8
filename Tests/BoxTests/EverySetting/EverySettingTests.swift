// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import TestSupport
import Testing

@testable import Box

extension BoxTests {
    /// Every setting, changed while a channel plays (SVM-12, SVM-18, SVM-19, SVM-20, SVM-22): by the socket and by HTTP
    /// in turn, and restored by the other. It is shown and explained, has its effect, and interrupts no more than its
    /// description promises. The settings are those of the catalogue, so that a new one is tried without being listed.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct EverySettingTests {
        /// Settings of the monitor are changed by two patches, because each change opens the channel again.
        private static let patches = ["reception.monitor.alarms.", "reception.monitor."]

        private static func steps(_ leaves: [SettingLeaf]) -> [[SettingLeaf]] {
            var steps: [[SettingLeaf]] = []
            var rest = leaves
            for prefix in patches {
                steps.append(rest.filter { $0.path.hasPrefix(prefix) })
                rest.removeAll { $0.path.hasPrefix(prefix) }
            }
            return steps + rest.map { [$0] }
        }

        @Test func eachTakesEffectAndInterruptsWhatItPromised() throws {
            let venue = try SettingsVenue()
            defer { venue.stop() }
            let leaves = SettingLeaf.all(of: Box.catalogue.settings)
            let unknown = SettingTrial.all(venue).map(\.path).filter { path in !leaves.contains { $0.path == path } }
            #expect(unknown.isEmpty, "no such settings")
            let run = try SettingsRun(venue)
            // The version has only one value. HTTP is switched off last, because half of the changes come by it.
            let changed = leaves.filter { $0.path != "version" && $0.path != "http.isEnabled" }
            let live = changed.filter { $0.promise != .needsRestart }
            for step in Self.steps(live) { try run.change(step) }
            for leaf in changed where leaf.promise == .needsRestart { try run.change([leaf]) }
            try run.restart()
            for leaf in leaves where leaf.path == "http.isEnabled" { try run.changeUnseen(leaf) }
            try run.restart()
            #expect(run.table.count == leaves.count, "a row for each setting but the version, and the titles")
            print(Self.text(of: run.table))
            #expect(run.box.end() == .ok)
        }

        /// The table for people, in columns.
        private static func text(of table: [[String]]) -> String {
            let widths = table[0].indices.map { column in table.map { $0[column].count }.max() ?? 0 }
            return table.map { row in
                zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
            }.joined(separator: "\n")
        }
    }
}
