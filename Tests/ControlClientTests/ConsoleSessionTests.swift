// SPDX-License-Identifier: Apache-2.0
import Commands
import TestSupport
import Testing
import Time

@testable import ControlClient

/// Somebody at a console, and the commands that it executes.
private struct Visitor {
    var session: ConsoleSession
    /// What the terminal got.
    private(set) var text = ""
    private(set) var tasks: [ConsoleTask] = []
    private(set) var tokens: [String?] = []
    private(set) var interrupts = 0
    private(set) var lists: [[String]] = []
    private(set) var hasEnded = false
    private(set) var logouts = 0
    var now = Monotonic(nanoseconds: 0)
    /// What asking whether somebody has to log in is answered with, and what a token is.
    var gate = ConsoleLogin.notNeeded(notice: [])
    var right = ConsoleLogin.accepted(name: "ann", role: "operator", idle: .seconds(300))

    init(rows: Int = 24, isDumb: Bool = true, gate: ConsoleLogin = .notNeeded(notice: [])) {
        let picture = CommandDescription(
            "screenshot", "Take a picture",
            fields: [.option("as", .text(1...9), "Form."), .clientOption("output", .text(1...99), "File.")],
            answer: AnswerDescription(.image, []))
        let commands: [CommandDescription] = [
            CommandDescription("status", "Show all", answer: AnswerDescription(.record, [])),
            CommandDescription("stop", "Stop", role: .operator),
            CommandDescription(
                "events", "Show what happened", fields: [.option("follow", .boolean, "Go on.")],
                answer: AnswerDescription(.events, []), streamArgument: "follow"),
            CommandDescription("console", "Take commands", isLocal: true),
            CommandDescription("top", "Watch", isLocal: true),
        ]
        let catalogue = Catalogue(commands + (isDumb ? [] : [picture]))
        session = ConsoleSession(catalogue, rows: rows, columns: 40, isDumb: isDumb)
        self.gate = gate
        run()
    }

    mutating func type(_ text: String) {
        for octet in text.utf8 {
            session.received([octet], at: now)
            run()
        }
    }

    mutating func printed(_ text: String) {
        session.printed(Array(text.utf8))
        run()
    }

    mutating func ended(_ code: Int32 = 0) {
        session.ended(code)
        run()
    }

    mutating func pass(_ seconds: Int64) {
        now = now + .seconds(seconds)
        session.tick(at: now)
        run()
    }

    mutating func run() {
        while let action = session.next() {
            switch action {
            case .write(let octets): text += String(decoding: octets, as: UTF8.self)
            case .logIn(let token):
                tokens.append(token)
                session.answered(token == nil ? gate : token == "right" ? right : .needed(why: "wrong"), at: now)
            case .logOut: logouts += 1
            case .run(let task): tasks.append(task)
            case .interrupt: interrupts += 1
            case .list(let words): lists.append(words)
            case .end: hasEnded = true
            }
        }
    }

    /// What came since the last call.
    mutating func taken() -> String {
        defer { text = "" }
        return text
    }
}

private let prompt = "touchline> "

@Suite struct ConsoleSessionTests {
    @Test func aCommandIsExecuted() {
        var visitor = Visitor()
        #expect(visitor.taken().hasSuffix(prompt))
        visitor.type("show stat\r")
        #expect(visitor.tasks == [ConsoleTask(words: ["status"], isLive: false, takesTerminal: false)])
        visitor.type("sto")  // typed ahead
        _ = visitor.taken()
        visitor.printed("one\ntw")
        visitor.printed("o\nthree")
        #expect(visitor.taken() == "one\r\ntwo\r\n")
        visitor.ended(1)
        #expect(visitor.taken() == "three\r\n" + prompt + "sto" && visitor.session.lastCode == 1)
        visitor.type("p\r")
        #expect(visitor.tasks.last?.words == ["stop"])
    }

    /// A picture's colours reach the terminal, without pages; other commands' do not.
    @Test func picturesPass() {
        var visitor = Visitor(rows: 4, isDumb: false)
        visitor.type("screenshot\r")
        _ = visitor.taken()
        let line = "\u{1b}[48;5;21m\u{2580}\u{1b}[0m"
        visitor.printed("\(line)\n\(line)\n\(line)\n\(line)\n\(line)")
        visitor.printed("\n")
        #expect(visitor.taken() == String(repeating: line + "\r\n", count: 5))
        visitor.ended()
        #expect(visitor.taken().hasSuffix(prompt))
        for other in ["screenshot --json", "screenshot --output x", "screenshot | inc x", "status"] {
            visitor.type(other + "\r")
            _ = visitor.taken()
            visitor.printed("\u{1b}[2Jx\n")
            let text = visitor.taken()
            #expect(text == "\u{fffd}[2Jx\r\n", "\(other): \(text.debugDescription)")
            visitor.ended()
        }
    }

    /// A file of PNG is sent by a program that has the terminal; what is filtered or put elsewhere is not.
    @Test(arguments: [
        ("screenshot --as png", true), ("screenshot", false), ("screenshot --as sixel", false),
        ("screenshot --as png | inc x", false), ("screenshot --as png --output x", false),
    ])
    func filesOfPicturesTakeTheTerminal(line: String, takesTerminal: Bool) {
        var visitor = Visitor(rows: 4, isDumb: false)
        visitor.type(line + "\r")
        #expect(visitor.tasks.last?.takesTerminal == takesTerminal)
    }

    @Test func whatATransferLeavesOnTheLineIsNoCommand() {
        var visitor = Visitor()
        _ = visitor.taken()
        visitor.type("**\u{18}B0100000023be50\r\n\u{11}")
        #expect(visitor.tasks.isEmpty && !visitor.taken().contains("unknown") && visitor.session.lastCode == 0)
    }

    /// Ctrl-C ends a picture where it is: the terminal leaves graphics and colours, and nothing of the rest comes.
    @Test func aPictureIsLeft() {
        var visitor = Visitor(rows: 4, isDumb: false)
        visitor.type("screenshot\r")
        visitor.printed("\u{1b}P0;1;0q\"1;1;9;9#0!9")
        _ = visitor.taken()
        visitor.type("\u{3}")
        #expect(visitor.interrupts == 1 && visitor.taken() == "\u{1b}\\\u{1b}[0m\r\n")
        visitor.printed("~-\n#0!9~\u{1b}\\")
        visitor.ended(130)
        let text = visitor.taken()
        #expect(text.hasSuffix(prompt) && !text.contains("~"), "\(text.debugDescription)")
    }

    @Test(arguments: [
        ("stat | inc A | exc ab", "x a\r\n"), ("status | count", "4\r\n"), ("status|include zz|count", "0\r\n"),
    ])
    func answersAreFiltered(line: String, shown: String) {
        var visitor = Visitor()
        visitor.type(line + "\r")
        _ = visitor.taken()
        visitor.printed("x a\nAB\nnone\n")
        visitor.printed("of them")
        visitor.ended()
        #expect(visitor.taken() == shown + prompt)
    }

    @Test func jsonIsAnOption() {
        var visitor = Visitor()
        visitor.type("status | json\r")
        #expect(visitor.tasks.map(\.words) == [["status", "--json"]])
    }

    @Test func longAnswersComeByPages() {
        var visitor = Visitor(rows: 4)
        visitor.type("status\r")
        _ = visitor.taken()
        visitor.printed("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n")
        #expect(visitor.taken() == "1\r\n2\r\n3\r\n-- more: space, Enter, a for all, q --")
        #expect(!visitor.session.wantsOutput)
        visitor.ended()
        let erased = "\r" + String(repeating: " ", count: ConsoleSession.morePrompt.count) + "\r"
        visitor.type("x\r")
        #expect(visitor.taken() == erased + "4\r\n-- more: space, Enter, a for all, q --")
        visitor.type(" ")
        #expect(visitor.taken() == erased + "5\r\n6\r\n7\r\n-- more: space, Enter, a for all, q --")
        var all = visitor
        all.type("a")
        #expect(all.taken() == erased + "8\r\n9\r\n10\r\n" + prompt)
        visitor.type("q")
        #expect(visitor.taken() == erased + prompt && visitor.interrupts == 0)
    }

    /// A command that nobody reads waits; leaving its answer ends it, and is no failure.
    @Test func leavingAnAnswerEndsItsCommand() {
        var visitor = Visitor(rows: 2)
        visitor.type("status\r")
        visitor.printed("1\n2\n")
        visitor.type("q")
        #expect(visitor.interrupts == 1 && visitor.session.wantsOutput)
        _ = visitor.taken()
        visitor.printed("3\n")
        visitor.ended(130)
        #expect(visitor.taken() == prompt && visitor.session.lastCode == 0)
    }

    @Test func aWideLineTakesSeveralRows() {
        var visitor = Visitor(rows: 4)
        visitor.type("status\r")
        _ = visitor.taken()
        let wide = String(repeating: "w", count: 100)
        visitor.printed(wide + "\nnext\n")
        #expect(visitor.taken() == wide + "\r\n-- more: space, Enter, a for all, q --")
    }

    @Test func terminalsDiffer() {
        var visitor = Visitor()
        visitor.type("terminal length 0\rterminal width 60\r")
        #expect(visitor.session.columns == 60)
        visitor.type("status\r")
        _ = visitor.taken()
        visitor.printed(String(repeating: "x\n", count: 100))
        #expect(visitor.taken() == String(repeating: "x\r\n", count: 100))
        visitor.ended()
        visitor.type("terminal width 5\r")
        let refusal = visitor.taken()
        #expect(refusal.contains("columns is 5; expected an integer, 20...1000"), "\(refusal)")
        #expect(visitor.session.lastCode == 2)
    }

    /// Every key ends what goes on by itself; only Ctrl-C ends other commands.
    @Test func liveViewsEndWithAnyKey() {
        var visitor = Visitor(rows: 2)
        visitor.type("events --follow\r")
        #expect(visitor.tasks.last?.isLive == true)
        visitor.printed("1\n2\n3\n")
        #expect(visitor.text.hasSuffix("1\r\n2\r\n3\r\n"))
        visitor.type("x")
        #expect(visitor.interrupts == 1)
        visitor.ended(130)
        visitor.type("status\r")
        visitor.type("x\u{3}")
        #expect(visitor.interrupts == 2)
    }

    @Test func whatConcernsTheConsoleAlone() {
        var visitor = Visitor()
        visitor.type("logout\rcons\r")
        #expect(visitor.text.contains("Nobody is logged in.") && visitor.text.contains("unknown command 'cons'"))
        visitor.type("exit\r")
        #expect(visitor.hasEnded && visitor.tasks.isEmpty)
        var other = Visitor()
        other.type("\u{4}")
        #expect(other.hasEnded)
    }

    @Test func helpIsAtHand() {
        var visitor = Visitor()
        visitor.type("ev?")
        #expect(visitor.text.contains("events  Show what happened"))
        visitor.type("\u{15}?")
        #expect(visitor.taken().contains("status    Show all"))
        // Where that would be more than a page, the words alone.
        visitor.session.resize(rows: 6, columns: 40)
        visitor.type("?")
        let words = visitor.taken()
        #expect(words.contains("  status    stop      events") && !words.contains("Show all"))
        #expect(words.split(separator: "\r\n").allSatisfy { $0.count <= 80 })
        visitor.type("ev\t --f\t\r")
        #expect(visitor.tasks.last?.words == ["events", "--follow"])
    }

    // MARK: Who is there

    @Test func aTokenIsAskedForAndNotShown() {
        var visitor = Visitor(gate: .needed(why: nil))
        #expect(visitor.taken().hasSuffix("Token: "))
        visitor.type("status\r")
        #expect(visitor.tokens == [nil, "status"] && visitor.taken() == "\r\nwrong\r\nToken: ")
        visitor.type("?")
        #expect(visitor.taken().contains("A token of this box"))
        visitor.type("right\r")
        #expect(visitor.taken() == "\r\nann, operator. 'logout' ends this.\r\n" + prompt && visitor.tasks.isEmpty)
        visitor.type("\u{1b}[A\r")  // no history of it
        visitor.type("logout\r")
        #expect(visitor.logouts == 1 && visitor.taken().hasSuffix("Token: "))
        visitor.type("\u{4}")
        #expect(visitor.hasEnded)
    }

    @Test func whoDoesNothingIsLoggedOut() {
        var visitor = Visitor(gate: .needed(why: nil))
        visitor.type("right\r")
        visitor.pass(200)
        visitor.type("x")
        visitor.pass(299)
        #expect(visitor.logouts == 0)
        visitor.pass(1)
        #expect(visitor.logouts == 1 && visitor.taken().hasSuffix("ann was logged out: no key for 300 s.\r\nToken: "))
        visitor.type("right\r")
        #expect(visitor.taken().hasSuffix(prompt))
        // A live view is not left to the next who comes.
        visitor.type("events --follow\r")
        visitor.pass(300)
        #expect(visitor.interrupts == 1 && visitor.logouts == 2)
        visitor.printed("secret\n")
        visitor.ended(130)
        #expect(!visitor.taken().contains("secret"))
        visitor.type("right\rstatus\r")
        #expect(visitor.tasks.last?.words == ["status"])
    }

    /// The token was revoked meanwhile.
    @Test func whoIsNotKnownAnyMoreLogsInAgain() {
        var visitor = Visitor(gate: .needed(why: nil))
        visitor.type("right\rstop\r")
        visitor.ended(1)
        #expect(visitor.taken().hasSuffix("You are not logged in any more.\r\nToken: "))
    }

    @Test func whoNeedsNoLoginIsToldOfTheClaim() {
        var visitor = Visitor(gate: .notNeeded(notice: ["Nobody has claimed this box.\u{1b}[2J"]))
        #expect(visitor.taken().contains("Nobody has claimed this box.\u{fffd}[2J\r\n"))
        visitor.type("\r")
        #expect(visitor.taken().contains("Nobody has claimed"))
        visitor.gate = .needed(why: nil)
        visitor.type("\r")
        #expect(visitor.taken().hasSuffix("Token: "))
        visitor.pass(100_000)
        #expect(visitor.logouts == 0)
    }

    // MARK: Whatever comes

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func anyOctetsAndTimesAreTaken(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var visitor = Visitor(rows: Int.random(in: 1...30, using: &random), gate: .needed(why: nil))
        let words = [
            "status\r", "right\r", "events --follow\r", "\u{3}", " ", "q", "st\t", "?", "| count\r", "\r", "logout\r",
        ]
        for _ in 0..<500 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                visitor.session.received(
                    (0..<20).map { _ in UInt8.random(in: 5...255, using: &random) }, at: visitor.now)
                visitor.run()
            case 1, 2: visitor.type(words.randomElement(using: &random) ?? "\r")
            case 3: visitor.printed(String(repeating: "line\n", count: Int.random(in: 0...40, using: &random)))
            case 4: visitor.ended(Int32.random(in: 0...1, using: &random))
            default: visitor.pass(Int64.random(in: 0...200, using: &random))
            }
            if visitor.hasEnded { visitor = Visitor(gate: .needed(why: nil)) }
            let isHarmful = visitor.taken().unicodeScalars.contains { $0.value == 0x1b || 0x80..<0xa0 ~= $0.value }
            #expect(!isHarmful, "the terminal would act upon it; seed \(seed)")
        }
    }
}
