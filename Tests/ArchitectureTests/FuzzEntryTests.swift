// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The list of `Fuzz.swift` is kept by hand; a parser that is not on it would never be fuzzed.
@Suite struct FuzzEntryTests {
    @Test func everyEntryIsListed() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../Fuzz").standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
        let text = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let entries = text.matches(of: #/\nfunc fuzz(\w+)\(_ /#).map { String($0.1) }
        let listed = text.matches(of: #/\n    \("(\w+)", fuzz(\w+)\)/#)
        #expect(entries.count >= 8)
        #expect(listed.map { String($0.1) }.sorted() == entries.sorted())
        #expect(listed.allSatisfy { $0.1 == $0.2 })
    }
}
