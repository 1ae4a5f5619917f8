// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// This checkout keeps the rules.
@Suite struct ArchitectureTests {
    private static let tree = Result {
        try SourceTree(reading: URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL)
    }

    @Test(arguments: Rule.allCases) func isKept(rule: Rule) throws {
        let violations = try Self.tree.get().violations.filter { $0.rule == rule }
        #expect(violations.isEmpty, "\(violations.map { "\n\($0)" }.joined())")
    }

    /// An empty tree keeps every rule.
    @Test func isRead() throws {
        let tree = try Self.tree.get()
        #expect(tree.targets.count > 20)
        #expect(tree.target(named: "Announcements")?.imports.isSuperset(of: ["Bytes", "JSON", "Venue"]) == true)
        #expect(tree.testFiles.contains { $0.path == "Tests/ArchitectureTests/ArchitectureTests.swift" })
    }
}
