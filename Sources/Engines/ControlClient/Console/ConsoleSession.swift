// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Terminal
import Time

/// The conversation with whoever is at the terminal of a console, as a value: octets of the terminal and of the command
/// that runs go in, and what is to be written and done comes out.
public struct ConsoleSession: Sendable {
    public enum Action: Equatable, Sendable {
        /// Octets for the terminal.
        case write([UInt8])
        /// Ask whether somebody has to log in, or show this token; `answered` brings what came of it.
        case logIn(token: String?)
        /// Forget who was logged in.
        case logOut
        /// Executes a command; `printed` brings what it prints, `ended` its end.
        case run(ConsoleTask)
        /// Asks the command that runs to end.
        case interrupt
        /// Executes a command whose lines are the names that may stand at the cursor; `named` brings them.
        case list([String])
        case end
    }

    private enum State: Equatable {
        /// Waits for `answered`.
        case asking
        case token
        case editing
        case running(isLive: Bool)
        /// A page is full; the command may have ended meanwhile.
        case paging
        /// Waits for `named`, for whoever asks what may be typed, or has it completed.
        case listing(CommandCompletion, completes: Bool)
        case ended
    }

    static let prompt = "touchline> "
    static let morePrompt = "-- more: space, Enter, a for all, q --"
    static let usualRows = 24
    /// Octets of a command's output that are written at once, about; keys are read between.
    private static let octetsOfWrite = 4_096

    private let tree: CommandWordTree
    private let catalogue: Catalogue
    private let isDumb: Bool
    private var state = State.asking
    private var editor: LineEditor
    private var tokenEditor = LineEditor(prompt: "Token: ", limit: 256, isHidden: true)
    private var pagerKeys = KeyReader()
    private var output = ConsoleOutput([], rows: nil, columns: 80)
    private var isRunning = false
    /// Whether the command that runs prints a picture.
    private var showsPicture = false
    /// The exit code of the last command.
    public private(set) var lastCode: Int32 = 0
    /// Rows of a page; 0 for no pages.
    private var rows: Int
    /// Set while somebody is logged in.
    private var login: (name: String, idle: Nanoseconds)?
    private var lastKey = Monotonic(nanoseconds: 0)
    private var actions: [Action] = []

    /// - Parameters:
    ///   - catalogue: of all commands that may be typed.
    ///   - isDumb: whether the terminal can only print lines.
    public init(_ catalogue: Catalogue, rows: Int? = nil, columns: Int? = nil, isDumb: Bool) {
        self.catalogue = ConsoleCommands.catalogue(catalogue)
        tree = CommandWordTree(self.catalogue)
        self.isDumb = isDumb
        self.rows = rows.flatMap { (1...1_000).contains($0) ? $0 : nil } ?? Self.usualRows
        editor = LineEditor(prompt: Self.prompt, limit: CommandWords.longest, columns: columns ?? 80)
        say(["", "Touchline. ? lists what may be typed, Tab completes it; any key ends what goes on."])
        actions.append(.logIn(token: nil))
    }

    /// Columns of the terminal.
    public var columns: Int { editor.columns }

    /// The terminal has another size.
    public mutating func resize(rows: Int, columns: Int) {
        if self.rows > 0, (1...1_000).contains(rows) { self.rows = rows }
        editor.columns = columns
    }

    /// Whether the output of the command that runs should be read.
    public var wantsOutput: Bool { isRunning && output.wantsMore }

    public mutating func next() -> Action? {
        while actions.isEmpty, step() {}
        return actions.isEmpty ? nil : actions.removeFirst()
    }

    // MARK: In

    /// Octets of the terminal.
    public mutating func received(_ octets: [UInt8], at now: Monotonic) {
        lastKey = now
        switch state {
        case .token: tokenEditor.feed(octets)
        case .running(let isLive): receivedWhileRunning(octets, isLive)
        case .paging: for octet in octets { pressWhilePaging(octet) }
        case .asking, .editing, .listing: editor.feed(octets)
        case .ended: break
        }
    }

    public mutating func answered(_ answer: ConsoleLogin, at now: Monotonic) {
        guard state == .asking else { return }
        switch answer {
        case .notNeeded(let notice):
            if login == nil { say(notice) }
            login = nil
            edit()
        case .accepted(let name, let role, let idle):
            if login == nil { say(["\(name), \(role). 'logout' ends this."]) }
            login = (name, idle)
            lastKey = now
            edit()
        case .needed(let why):
            if let why { say([why]) } else if login != nil { say(["You are not logged in any more."]) }
            askForToken()
        }
    }

    /// Octets that the running command prints.
    public mutating func printed(_ octets: some Sequence<UInt8>) { output.take(octets) }

    /// - Parameter code: the exit code of the running command.
    public mutating func ended(_ code: Int32) {
        guard isRunning else { return }
        isRunning = false
        // Whoever leaves an answer has seen what he wanted, whether the command was still about to print or not.
        lastCode = output.isLeft ? 0 : code
        output.end()
    }

    public mutating func named(_ names: [String]) {
        guard case .listing(let completion, let completes) = state else { return }
        state = .editing
        let whole = completion.adding(names)
        if completes { complete(whole) } else { show(whole) }
    }

    /// Time has passed.
    public mutating func tick(at now: Monotonic) {
        guard let login, now - lastKey >= login.idle else { return }
        if isRunning { actions.append(.interrupt) }
        leave(["", "\(login.name) was logged out: no key for \(login.idle.seconds) s."])
    }

    // MARK: Steps

    /// - Returns: whether something was done.
    private mutating func step() -> Bool {
        switch state {
        case .asking, .listing, .ended: return false
        case .token: return tokenEditor.next().map { token($0) } != nil
        case .editing: return editor.next().map { edited($0) } != nil
        case .running, .paging: return show()
        }
    }

    private mutating func edit() {
        state = .editing
        editor.begin()
    }

    private mutating func askForToken() {
        login = nil
        state = .token
        tokenEditor.begin()
    }

    private mutating func token(_ action: LineEditor.Action) {
        switch action {
        case .write(let octets): actions.append(.write(octets))
        case .line(let text) where text.isEmpty: ask()  // a token may not be needed any more
        case .line(let text):
            state = .asking
            actions.append(.logIn(token: text))
        case .tooLong, .interrupted: tokenEditor.begin()
        case .ended: end()
        case .explain:
            say([
                "A token of this box, which 'token create' made. It is not shown while it is typed.",
                "Who has lost all of them types lost: the screen shows a code with which the box forgets them.",
            ])
        case .complete: tokenEditor.ring()
        }
    }

    private mutating func edited(_ action: LineEditor.Action) {
        switch action {
        case .write(let octets): actions.append(.write(octets))
        case .line(let line): entered(line)
        case .tooLong: fail(.lineTooLong(octets: CommandWords.longest + 1, limit: CommandWords.longest))
        case .interrupted: editor.begin()
        case .ended: end()
        case .explain(let text):
            if TypedWords(text).takesQuestionMark { return editor.insert("?") }
            list(CommandCompletion(of: text, by: tree), completes: false)
        case .complete(let text): list(CommandCompletion(of: text, by: tree), completes: true)
        }
    }

    /// Asks for names that may stand at the cursor, if there are some.
    private mutating func list(_ completion: CommandCompletion, completes: Bool) {
        if let names = completion.names {
            state = .listing(completion, completes: completes)
            actions.append(.list([names, "--names"]))
        } else if completes {
            complete(completion)
        } else {
            show(completion)
        }
    }

    /// Shows what may stand at the cursor, in words alone if more than a page would come.
    private mutating func show(_ completion: CommandCompletion) {
        let lines = completion.lines
        editor.show(rows > 0 && lines.count > rows - 2 ? completion.words(within: columns - 2) : lines)
    }

    private mutating func complete(_ completion: CommandCompletion) {
        if let replacement = completion.replacement {
            editor.replace(replacement.removed, with: replacement.text)
        } else if completion.candidates.count > 1 {
            show(completion)
        } else {
            editor.ring()
        }
    }

    /// A header of ZMODEM, without its control characters: what the other end of a transfer repeats when it is over.
    private static let transferHeader = "**B0"

    private mutating func entered(_ text: String) {
        guard !text.hasPrefix(Self.transferHeader) else { return editor.begin() }
        do {
            let line = try ConsoleLine(text)
            let words = try tree.expand(line.words)
            guard !words.isEmpty else {
                // The service may have started after the console: whoever presses Enter is told.
                guard login == nil else { return editor.begin() }
                return ask()
            }
            if try doLocally(words) { return }
            run(words + (line.isJSON ? ["--json"] : []), line.filters)
        } catch {
            fail(error)
        }
    }

    private mutating func ask() {
        state = .asking
        actions.append(.logIn(token: nil))
    }

    private mutating func run(_ words: [String], _ filters: [LineFilter]) {
        let isLive = ConsoleCommands.isLive(words, in: catalogue)
        showsPicture = filters.isEmpty && ConsoleCommands.isPicture(words, in: catalogue)
        let pages = isLive || rows == 0 ? nil : rows - 1
        output = ConsoleOutput(filters, rows: pages, columns: columns)
        isRunning = true
        state = .running(isLive: isLive)
        let takesTerminal = filters.isEmpty && ConsoleCommands.takesTerminal(words, isDumb: isDumb, in: catalogue)
        actions.append(.run(ConsoleTask(words: words, isLive: isLive, takesTerminal: takesTerminal)))
    }

    /// What concerns the console alone.
    private mutating func doLocally(_ words: [String]) throws(CommandError) -> Bool {
        guard ConsoleCommands.names.contains(words[0]) else { return false }
        let request: CommandRequest
        switch try Invocation(words, in: catalogue).action {
        case .local(let local): request = local
        case .request, .help: return false
        }
        switch request.command {
        case "terminal-length": rows = Int(request.integer("rows") ?? Int64(Self.usualRows))
        case "terminal-width": editor.columns = Int(request.integer("columns") ?? 80)
        case "logout":
            if login != nil {
                leave([])
                return true
            }
            say(["Nobody is logged in."])
        default:
            end()
            return true
        }
        editor.begin()
        return true
    }

    private mutating func leave(_ lines: [String]) {
        say(lines)
        actions.append(.logOut)
        askForToken()
    }

    private mutating func fail(_ error: CommandError) {
        lastCode = Int32(error.status.code.rawValue)
        say([TerminalText.harmless(error.description)])
        editor.begin()
    }

    private mutating func end() {
        if login != nil { actions.append(.logOut) }
        login = nil
        state = .ended
        actions.append(.end)
    }

    private mutating func say(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        actions.append(.write(Array(lines.map { TerminalText.harmless($0) + "\r\n" }.joined().utf8)))
    }

    // MARK: While a command runs

    private mutating func receivedWhileRunning(_ octets: [UInt8], _ isLive: Bool) {
        let ends = isLive ? !octets.isEmpty : octets.contains(3)
        guard ends else { return editor.feed(octets) }
        if isRunning { actions.append(.interrupt) }
        if showsPicture { leavePicture() }
        // What came behind Ctrl-C is for the next line.
        if let place = octets.lastIndex(of: 3) { editor.feed(octets[(place + 1)...]) }
    }

    /// Ends graphics and colours where they are; the rest is not shown.
    private mutating func leavePicture() {
        showsPicture = false
        leaveOutput()
        actions.append(.write(Array((isDumb ? "\r\n" : "\u{1b}\\\u{1b}[0m\r\n").utf8)))
    }

    private mutating func leaveOutput() {
        output = .left
        if !isRunning { output.end() }
    }

    private mutating func pressWhilePaging(_ octet: UInt8) {
        guard let key = pagerKeys.take(octet) else { return }
        switch key {
        case .text(" "), .text("f"): turn(rows - 1)
        case .enter, .down: turn(1)
        case .text("a"): turn(nil)
        case .text("q"), .text("Q"), .control("C"), .control("D"):
            if isRunning { actions.append(.interrupt) }
            clearMorePrompt()
            leaveOutput()
            state = .running(isLive: false)
        default: break
        }
    }

    private mutating func turn(_ rows: Int?) {
        clearMorePrompt()
        output.turnPage(rows: rows)
        state = .running(isLive: false)
    }

    private mutating func clearMorePrompt() {
        let blank = String(repeating: " ", count: Self.morePrompt.count)
        actions.append(.write(Array("\r\(blank)\r".utf8)))
    }

    private mutating func show() -> Bool {
        guard case .running = state else { return false }
        if showsPicture {
            let octets = output.nextOctets(atMost: Self.octetsOfWrite)
            if !octets.isEmpty {
                actions.append(.write(octets))
                return true
            }
        }
        var text = ""
        while text.utf8.count < Self.octetsOfWrite, let line = output.nextLine() { text += line + "\r\n" }
        if !text.isEmpty {
            actions.append(.write(Array(text.utf8)))
            return true
        }
        if output.isFull {
            state = .paging
            pagerKeys = KeyReader()
            actions.append(.write(Array(Self.morePrompt.utf8)))
            return true
        }
        guard !isRunning else { return false }
        // Whoever is not known any more is told so by the command, and may log in again.
        if lastCode != 0, login != nil { ask() } else { edit() }
        return true
    }
}
