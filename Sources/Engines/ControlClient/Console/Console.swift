// SPDX-License-Identifier: Apache-2.0
import Commands
import System
import Time

/// The console at a terminal: it leads octets to and from `ConsoleSession`. A child process executes each command, so that
/// one may run without end, fail or be interrupted, and the console goes on.
final class Console {
    /// How long a command may take to end after it was asked to.
    private static let patience = Nanoseconds.seconds(3)
    /// Octets of names that Tab looks at.
    private static let longestList = 256 << 10

    private let socket: [String]
    private let streams: ClientStreams
    private let loop: EventLoop
    private var gate: ConsoleGate
    private var session: ConsoleSession
    /// The command that runs, and the one that lists names.
    private var command: Running?
    private var lister: Running?
    /// The first error that ended the loop; nil if there was none.
    private var failure: (any Error)?

    /// A child process, and what watches its output.
    private final class Running {
        let child: ChildProcess
        var watch: EventLoop.Watch?
        var output: [UInt8] = []

        init(_ child: ChildProcess) { self.child = child }
    }

    init(_ catalogue: Catalogue, _ gate: ConsoleGate, socket: String?, _ streams: ClientStreams) throws(SystemCallError)
    {
        self.socket = socket.map { ["--socket", $0] } ?? []
        self.streams = streams
        loop = try EventLoop()
        self.gate = gate
        let size = Terminal.size
        session = ConsoleSession(catalogue, rows: size?.rows, columns: size?.columns, isDumb: StandardStream.isDumb)
    }

    /// Takes lines until the input ends, or until `exit`.
    /// - Throws: `ConsoleEnd` with the exit code of the last command, unless that is 0; an error of input or output.
    func run() throws {
        let signals = try SignalWatch(watchesTerminal: true)
        try Terminal.take(ending: "")
        defer { Terminal.giveBack() }
        let signalled = try loop.watch(signals.rawValue, for: .readable) { [unowned self] _ in
            while let signal = signals.next() {
                guard signal == .resize else { return loop.stop() }
                if let size = Terminal.size { session.resize(rows: size.rows, columns: size.columns) }
            }
        }
        defer { loop.unwatch(signalled) }
        let typed = try loop.watch(StandardInput.descriptor, for: .readable) { [unowned self] _ in
            let octets = StandardInput.read()
            if octets.isEmpty { return loop.stop() }  // the terminal is gone
            session.received(octets, at: SystemClock.monotonic())
            advance()
        }
        defer { loop.unwatch(typed) }
        let timer = loop.every(.seconds(1)) { [unowned self] in
            session.tick(at: SystemClock.monotonic())
            advance()
        }
        defer { loop.cancel(timer) }
        advance()
        try loop.run()
        for running in [command, lister] { running?.child.kill() }
        if let failure { throw failure }
        if session.lastCode != 0 { throw ConsoleEnd(code: session.lastCode) }
    }

    private func advance() {
        attempt {
            while let action = session.next() { try perform(action) }
            try watchCommand()
        }
    }

    private func perform(_ action: ConsoleSession.Action) throws {
        switch action {
        case .write(let octets): try streams.write(octets)
        case .logIn(let token): session.answered(gate.logIn(token), at: SystemClock.monotonic())
        case .logOut: gate.logOut()
        case .run(let task): try start(task)
        case .interrupt: interrupt()
        case .list(let words): try list(words)
        case .end: loop.stop()
        }
    }

    // MARK: Commands

    private func child(_ words: [String], _ output: ChildProcess.Output) throws(SystemCallError) -> Running {
        let environment = ClientStreams.environment(ofColumns: session.columns) + gate.environment
        return Running(try ChildProcess(socket + words, environment: environment, output: output))
    }

    private func start(_ task: ConsoleTask) throws {
        // One may be left of somebody who was logged out.
        if let command { try end(command) }
        guard !task.takesTerminal else { return session.ended(try child(task.words, .terminal).child.wait()) }
        command = try child(task.words, .capturedWithMessages)
    }

    /// Reads what the command prints as long as somebody looks at it.
    private func watchCommand() throws {
        guard let command, let descriptor = command.child.descriptor else { return }
        if session.wantsOutput, command.watch == nil {
            command.watch = try loop.watch(descriptor, for: .readable) { [unowned self] _ in attempt(readCommand) }
        } else if !session.wantsOutput, let watch = command.watch {
            loop.unwatch(watch)
            command.watch = nil
        }
    }

    private func readCommand() throws {
        guard let command else { return }
        let octets = command.child.read()
        if octets.isEmpty {
            self.command = nil
            session.ended(try end(command))
        } else {
            session.printed(octets)
        }
        advance()
    }

    /// - Returns: the exit code.
    @discardableResult
    private func end(_ running: Running) throws -> Int32 {
        if let watch = running.watch { loop.unwatch(watch) }
        running.watch = nil
        running.child.kill()  // without effect on one that has exited
        return try running.child.wait()
    }

    private func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            failure = failure ?? error
            loop.stop()
        }
    }

    private func interrupt() {
        guard let command else { return }
        command.child.interrupt()
        _ = loop.after(Self.patience) { [weak self, weak command] in
            if let command, self?.command === command { command.child.kill() }
        }
    }

    private func list(_ words: [String]) throws {
        let running = try child(words, .captured)
        guard let descriptor = running.child.descriptor else { return }
        lister = running
        running.watch = try loop.watch(descriptor, for: .readable) { [unowned self, unowned running] _ in
            attempt { try readNames(of: running) }
        }
    }

    private func readNames(of running: Running) throws {
        let octets = running.child.read()
        running.output += octets
        guard octets.isEmpty || running.output.count > Self.longestList else { return }
        lister = nil
        try end(running)
        session.named(running.output.split(separator: 10).map { String(decoding: $0, as: UTF8.self) })
        advance()
    }
}

/// The console ended after a command that failed. That command has printed its message already.
struct ConsoleEnd: Error {
    let code: Int32
}
