// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `Tests/REQUIREMENTS.md` is kept by hand. An id that it leaves out could not be looked up.
@Suite struct RequirementTests {
    private struct Row {
        let id: String
        /// As `folder/suite`.
        let suites: [String]
    }

    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    /// The ids that each file quotes, by the file's path.
    private static let quotes = Result { try RequirementTests.readQuotes() }

    /// One id, or several of one family.
    private static let pattern = #"\b(?:SVM|EDGE|CSS|PLAY|MEET|G)-\d{2,3}(?:(?:…|, and | and |, )\d{2,3}\b)*"#

    @Test func severalAreQuotedAtOnce() {
        #expect(Self.expanded("A-09…11, 20 and 30") == ["A-09", "A-10", "A-11", "A-20", "A-30"])
        #expect(Self.expanded("A-101") == ["A-101"])
    }

    @Test func eachQuotedOneHasARow() throws {
        let rows = Set(try Self.readRows().map { $0.id })
        for (path, ids) in try Self.quotes.get() {
            let missing = ids.subtracting(rows).sorted()
            #expect(missing.isEmpty, "\(path) quotes \(missing): expected a row of each in Tests/REQUIREMENTS.md")
        }
    }

    @Test func eachRowIsQuoted() throws {
        var quoted: Set<String> = []
        for ids in try Self.quotes.get().values { quoted.formUnion(ids) }
        let rows = try Self.readRows().map { $0.id }
        let unquoted = rows.filter { !quoted.contains($0) }
        #expect(rows.count > 100)
        #expect(Set(rows).count == rows.count)
        #expect(unquoted.isEmpty, "no file quotes \(unquoted), which have a row in Tests/REQUIREMENTS.md")
    }

    @Test func eachSuiteIsThere() throws {
        let paths = try Self.quotes.get().keys.sorted()
        for row in try Self.readRows() {
            for suite in row.suites {
                #expect(Self.isThere(suite, in: paths), "\(row.id) names \(suite), which is not under Tests")
            }
        }
    }

    private static func isThere(_ suite: String, in paths: [String]) -> Bool {
        let parts = suite.split(separator: "/").map { String($0) }
        guard parts.count == 2 else { return false }
        return paths.contains { $0.hasPrefix("Tests/\(parts[0])/") && $0.hasSuffix("/\(parts[1]).swift") }
    }

    private static func readRows() throws -> [Row] {
        let text = try String(contentsOf: root.appending(path: "Tests/REQUIREMENTS.md"), encoding: .utf8)
        var rows: [Row] = []
        for line in text.split(separator: "\n") {
            let cells: [String] = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3 else { continue }
            let ids = try Self.ids(in: cells[0])
            guard ids == Set([cells[0]]) else { continue }
            let pieces: [String] = cells[2].split(separator: "`").map { String($0) }
            rows.append(Row(id: cells[0], suites: pieces.filter { $0.contains("/") }))
        }
        return rows
    }

    private static func readQuotes() throws -> [String: Set<String>] {
        var quotes: [String: Set<String>] = [:]
        for folder in ["Sources", "Tests", "board"] {
            for path in try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path) {
                let file = root.appending(path: folder).appending(path: path)
                guard ["swift", "py", "sh", "js", ""].contains(file.pathExtension) else { continue }
                // What cannot be read is a folder or no text, and quotes nothing.
                guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
                quotes["\(folder)/\(path)"] = try ids(in: text)
            }
        }
        return quotes
    }

    private static func ids(in text: String) throws -> Set<String> {
        let expression = try NSRegularExpression(pattern: pattern)
        let whole = NSString(string: text)
        var ids: Set<String> = []
        for match in expression.matches(in: text, range: NSRange(location: 0, length: whole.length)) {
            ids.formUnion(expanded(whole.substring(with: match.range)))
        }
        return ids
    }

    /// Every id of a quote, in its order.
    private static func expanded(_ quote: String) -> [String] {
        guard let dash = quote.firstIndex(of: "-") else { return [] }
        let family = String(quote[..<dash])
        let numbers = String(quote[quote.index(after: dash)...]).replacingOccurrences(of: " and ", with: ",")
        var ids: [String] = []
        for part in numbers.split(separator: ",") {
            let ends: [Int] = part.split(separator: "…").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
            guard let first = ends.first, let last = ends.last, first <= last else { continue }
            for number in first...last { ids.append("\(family)-\(number < 10 ? "0" : "")\(number)") }
        }
        return ids
    }
}
