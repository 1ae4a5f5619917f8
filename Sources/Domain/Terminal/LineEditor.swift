// SPDX-License-Identifier: Apache-2.0

/// The line that somebody types at a terminal, as a value: octets go in, and what is to be written, executed and explained
/// comes out. It draws in one row, with text, backspace, carriage return, line feed and bell alone, so every terminal will
/// do; a line that is wider than the row is shown in part.
public struct LineEditor: Sendable {
    public enum Action: Equatable, Sendable {
        /// Octets for the terminal.
        case write([UInt8])
        /// The line was entered; `begin` starts the next.
        case line(String)
        /// What was entered had more octets than a line may have, and was thrown away; `begin` starts the next.
        case tooLong
        /// Ctrl-C; what was typed was thrown away; `begin` starts the next line.
        case interrupted
        /// Ctrl-D in an empty line.
        case ended
        /// A question mark came behind this text, which is to be explained: `show` does it. Where it belongs to the text,
        /// `insert` puts it there.
        case explain(String)
        /// The text before the cursor is to be completed: `insert`, `show` or `ring` does it.
        case complete(String)
    }

    /// Octets that may wait while nothing is edited; more are thrown away.
    private static let mostWaiting = 64 << 10
    private static let usualColumns = 80

    private let limit: Int
    private let isHidden: Bool
    private var keys = KeyReader()
    private var history = LineHistory()
    private var input: [UInt8] = []
    private var place = 0
    private var isEditing = false
    private var pending: Action?
    /// What was removed last, for Ctrl-Y.
    private var removed: [Character] = []
    private var octets = 0
    private var isTooLong = false
    private var text: [Character] = []
    private var cursor = 0
    private var row: EditedRow
    private var output: [UInt8] = []

    /// - Parameters:
    ///   - limit: octets of the longest line.
    ///   - columns: of the terminal; 80 if that many cannot be.
    ///   - isHidden: whether nothing of the line is shown or kept, as it is a secret.
    public init(prompt: String, limit: Int, columns: Int = 80, isHidden: Bool = false) {
        self.limit = limit
        self.isHidden = isHidden
        row = EditedRow(prompt: prompt)
        self.columns = columns
    }

    /// Columns of the terminal.
    public var columns: Int {
        get { row.columns }
        set { row.columns = (20...1_000).contains(newValue) ? newValue : Self.usualColumns }
    }

    /// Octets that were no part of a key, such as noise on the line.
    public var strayOctets: UInt64 { keys.strayOctets }

    // MARK: Octets

    public mutating func feed(_ octets: some Collection<UInt8>) {
        input += octets.prefix(max(0, Self.mostWaiting - input.count))
    }

    /// What is to be done next; nil if it takes more octets, or `begin`.
    public mutating func next() -> Action? {
        if pending == nil { edit() }
        if !output.isEmpty {
            defer { output = [] }
            return .write(output)
        }
        defer { pending = nil }
        return pending
    }

    private mutating func edit() {
        guard isEditing else { return }
        while isEditing, pending == nil, place < input.count {
            let octet = input[place]
            place += 1
            if let key = keys.take(octet) { press(key) }
        }
        if place == input.count { (input, place) = ([], 0) }
        if isEditing { draw() }
    }

    /// Whether the key is followed by text that came with it: pasted, as nobody types so fast.
    private var isPasted: Bool { place < input.count && input[place] > 0x20 && input[place] != 0x7f }

    // MARK: What the caller does

    /// Starts a line, with what has been typed ahead. The cursor of the terminal is at the beginning of a row.
    public mutating func begin() {
        row.isShown = false
        (text, cursor, octets, isTooLong) = ([], 0, 0, false)
        isEditing = true
    }

    /// Shows lines below the one that is edited, and that one again below them.
    public mutating func show(_ lines: [String]) {
        leaveRow()
        for line in lines { output += Array(line.utf8) + [13, 10] }
    }

    /// Puts text before the cursor, as if it had been typed.
    public mutating func insert(_ text: String) {
        for scalar in text.unicodeScalars { insert(scalar) }
    }

    /// Puts text in place of the last characters before the cursor.
    public mutating func replace(_ count: Int, with text: String) {
        remove(max(0, cursor - count)..<cursor)
        insert(text)
    }

    public mutating func ring() { output.append(7) }

    /// Draws the line anew where the cursor of the terminal is, which is at the beginning of a row.
    public mutating func redraw() { row.isShown = false }

    private mutating func leaveRow() {
        draw()
        output += [13, 10]
        row.isShown = false
    }

    // MARK: Keys

    private mutating func press(_ key: TerminalKey) {
        switch key {
        case .text("?") where !isPasted: pending = .explain(before)
        case .text(let scalar): insert(scalar)
        case .tab: if isPasted { insert(" ") } else { pending = .complete(before) }
        case .enter: enter()
        case .control(let letter): press(control: letter)
        case .backspace: remove(max(0, cursor - 1)..<cursor)
        case .delete: remove(cursor..<min(text.count, cursor + 1))
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(text.count, cursor + 1)
        case .home: cursor = 0
        case .end: cursor = text.count
        case .wordLeft: cursor = beginOfWord
        case .wordRight: cursor = endOfWord
        case .removeWordLeft: take(beginOfWord..<cursor)
        case .removeWordRight: take(cursor..<endOfWord)
        case .up: replace(with: history.earlier(than: String(text)))
        case .down: replace(with: history.later())
        }
    }

    private mutating func press(control letter: Unicode.Scalar) {
        switch letter {
        case "A": press(.home)
        case "E": press(.end)
        case "B": press(.left)
        case "F": press(.right)
        case "P": press(.up)
        case "N": press(.down)
        case "W": take(beginOfWord..<cursor)
        case "U": take(0..<cursor)
        case "K": take(cursor..<text.count)
        case "Y": insert(String(removed))
        case "L": leaveRow()
        case "D": if text.isEmpty, !isTooLong { stop(.ended) } else { press(.delete) }
        case "C":
            history.add("")
            stop(.interrupted)
        default: break
        }
    }

    private mutating func enter() {
        let line = String(text)
        history.add(isTooLong || isHidden ? "" : line)
        stop(isTooLong ? .tooLong : .line(line))
    }

    private mutating func stop(_ action: Action) {
        leaveRow()
        (isEditing, pending) = (false, action)
    }

    private var before: String { String(text[..<cursor]) }

    private var beginOfWord: Int {
        var place = cursor
        while place > 0, text[place - 1].isWhitespace { place -= 1 }
        while place > 0, !text[place - 1].isWhitespace { place -= 1 }
        return place
    }

    private var endOfWord: Int {
        var place = cursor
        while place < text.count, text[place].isWhitespace { place += 1 }
        while place < text.count, !text[place].isWhitespace { place += 1 }
        return place
    }

    // MARK: Text

    private mutating func insert(_ scalar: Unicode.Scalar) {
        guard TerminalText.isShown(scalar) else { return }
        let size = UTF8.width(scalar)
        guard octets + size <= limit else {
            if !isTooLong { ring() }
            isTooLong = true
            return
        }
        if cursor > 0, let joined = TerminalText.joined(text[cursor - 1], scalar) {
            octets += joined.utf8.count - text[cursor - 1].utf8.count
            text[cursor - 1] = joined
        } else {
            text.insert(Character(scalar), at: cursor)
            octets += size
            cursor += 1
        }
    }

    private mutating func remove(_ range: Range<Int>) {
        octets -= text[range].reduce(0) { $0 + $1.utf8.count }
        text.removeSubrange(range)
        cursor = range.lowerBound
    }

    private mutating func take(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        removed = Array(text[range])
        remove(range)
    }

    private mutating func replace(with line: String?) {
        guard let line else { return ring() }
        text = Array(line)
        (cursor, octets, isTooLong) = (text.count, line.utf8.count, false)
    }

    private mutating func draw() { output += isHidden ? row.draw([], cursor: 0) : row.draw(text, cursor: cursor) }
}
