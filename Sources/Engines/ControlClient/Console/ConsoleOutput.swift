// SPDX-License-Identifier: Apache-2.0
import Commands
import Terminal

/// What a command of the console prints, on its way to the terminal: lines, filtered, a page at a time.
struct ConsoleOutput: Sendable {
    /// Octets of the longest line; a longer one is cut into several.
    private static let longestLine = 64 << 10

    private let filters: [LineFilter]
    private let columns: Int
    /// Rows that may still be shown before somebody turns the page; nil if there are no pages.
    private var room: Int?
    private var waiting: [UInt8] = []
    private var counted: Int?
    private var hasEnded = false
    /// Whether whoever looked at it has seen enough: nothing more is shown.
    private(set) var isLeft = false

    /// - Parameters:
    ///   - rows: of a page; nil for none.
    ///   - columns: of the terminal; a line that is wider takes several rows.
    init(_ filters: [LineFilter], rows: Int?, columns: Int) {
        self.filters = filters
        self.columns = max(1, columns)
        room = rows
        counted = filters.contains(.count) ? 0 : nil
    }

    /// Shows nothing of what a command still prints.
    static var left: ConsoleOutput {
        var output = ConsoleOutput([.exclude("")], rows: nil, columns: 80)
        output.isLeft = true
        return output
    }

    /// Whether the page is full and something waits to be shown.
    var isFull: Bool { (room ?? 1) <= 0 && (hasLine || hasEnded && !waiting.isEmpty) }

    /// Whether more should be read; otherwise the command waits for the reader.
    var wantsMore: Bool { !isFull && waiting.count < Self.longestLine }

    /// Makes room for so many rows; nil for as many as there are.
    mutating func turnPage(rows: Int?) { room = rows }

    mutating func take(_ octets: some Sequence<UInt8>) { waiting += octets }

    /// The command has ended: what follows the last line feed is a line, too.
    mutating func end() { hasEnded = true }

    /// What waits, as it is but for line feeds, which return the carriage: for a picture, whose text the command has
    /// looked at.
    /// - Parameter count: octets at most.
    mutating func nextOctets(atMost count: Int) -> [UInt8] {
        let part = waiting.prefix(count)
        waiting.removeFirst(part.count)
        return part.flatMap { $0 == 10 ? [13, 10] : [$0] }
    }

    /// The next line that is to be shown; nil if the page is full, or nothing is there.
    mutating func nextLine() -> String? {
        while (room ?? 1) > 0 {
            guard let line = takeLine() else { break }
            guard filters.allSatisfy({ $0.admits(line) }) else { continue }
            if let counted {
                self.counted = counted + 1
                continue
            }
            if let room { self.room = room - rows(of: line) }
            return line
        }
        guard hasEnded, waiting.isEmpty, let counted else { return nil }
        self.counted = nil
        return "\(counted)"
    }

    private var hasLine: Bool { waiting.count >= Self.longestLine || waiting.contains(10) }

    private mutating func takeLine() -> String? {
        let end = waiting.prefix(Self.longestLine).firstIndex(of: 10)
        guard let length = end ?? (waiting.count >= Self.longestLine ? Self.longestLine : nil) else {
            guard hasEnded, !waiting.isEmpty else { return nil }
            defer { waiting = [] }
            return Self.text(waiting[...])
        }
        defer { waiting.removeFirst(end == nil ? length : length + 1) }
        return Self.text(waiting[..<length])
    }

    private static func text(_ octets: ArraySlice<UInt8>) -> String {
        TerminalText.harmless(String(decoding: octets, as: UTF8.self))
    }

    private func rows(of line: String) -> Int { max(1, (TerminalText.columns(line) + columns - 1) / columns) }
}
