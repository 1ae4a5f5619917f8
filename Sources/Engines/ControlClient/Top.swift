// SPDX-License-Identifier: Apache-2.0
import Commands
import System
import Time

/// The command `top`: takes a sample of a box in each interval and shows it as a screen or line by line.
final class Top {
    private static let titleEvery: Int64 = 20
    /// Switches to the alternate screen and hides the cursor; `ending` reverts both. It is written on a crash, too.
    private static let beginning = "\u{1b}[?1049h\u{1b}[?25l"
    private static let ending: StaticString = "\u{1b}[?25h\u{1b}[?1049l"

    private let options: TopOptions
    private let socket: String
    private let streams: ClientStreams
    private let isScreen: Bool
    private var screen = TopScreen()
    private var connection: TopConnection?
    private var looks: Int64 = 0
    /// The first error that ended the loop; nil if there was none.
    private var failure: (any Error)?

    init(_ options: TopOptions, socket: String, _ streams: ClientStreams) {
        self.options = options
        self.socket = socket
        self.streams = streams
        isScreen = streams.isTerminal && Terminal.size != nil && !StandardStream.isDumb
    }

    /// Runs until `q`, a signal or the last sample.
    /// - Throws: if the service cannot be reached at the start. A service that goes away later is waited for.
    func run() throws {
        let signals = try SignalWatch(watchesTerminal: true)
        connection = try TopConnection(socket)
        let loop = try EventLoop()
        defer { Terminal.giveBack() }
        if isScreen {
            try Terminal.take(ending: Self.ending)
            try streams.write(Array(Self.beginning.utf8))
        }
        let watch = try loop.watch(signals.rawValue, for: .readable) { [self] _ in
            while let signal = signals.next() {
                guard signal == .resize else { return loop.stop() }
                if isScreen { attempt(loop) { try draw() } }
            }
        }
        defer { loop.unwatch(watch) }
        if isScreen, StandardInput.isTerminal { try watchKeys(on: loop) }
        let timer = loop.every(.seconds(options.interval)) { [self] in attempt(loop) { try look(loop) } }
        defer { loop.cancel(timer) }
        try look(loop)
        if looks != options.count { try loop.run() }
        if let failure { throw failure }
    }

    private func watchKeys(on loop: EventLoop) throws {
        var watch: EventLoop.Watch?
        watch = try loop.watch(StandardInput.descriptor, for: .readable) { [self] _ in
            let octets = StandardInput.read()
            if octets.isEmpty {  // end of input
                if let watch { loop.unwatch(watch) }
                return
            }
            for key in TopScreen.keys(of: octets) where !screen.pressed(key) { loop.stop() }
            attempt(loop) { try draw() }
        }
    }

    private func attempt(_ loop: EventLoop, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            failure = failure ?? error
            loop.stop()
        }
    }

    private func look(_ loop: EventLoop) throws {
        do {
            let connection = try self.connection ?? TopConnection(socket)
            self.connection = connection
            let (snapshot, events) = try connection.look()
            screen.looked(snapshot)
            for event in events { screen.happened(event) }
        } catch {
            connection = nil  // the next sample connects again
            screen.failed("\(error)")
        }
        if !isScreen, looks % Self.titleEvery == 0 { try streams.write(Array("\(TopScreen.plainTitle)\n".utf8)) }
        looks += 1
        try draw()
        if looks == options.count { loop.stop() }
    }

    private func draw() throws {
        guard isScreen else { return try streams.write(Array("\(screen.plainLine)\n".utf8)) }
        let size = Terminal.size ?? (80, 24)
        let lines = screen.lines(columns: size.columns, rows: size.rows)
        // The screen is overwritten rather than cleared first, which would flicker. Each line clears its own rest, and
        // the last line everything below it.
        let styled = lines.enumerated().map { index, line in
            (streams.isStyled && index == 0 ? "\u{1b}[1m\(line)\u{1b}[0m" : line) + "\u{1b}[K"
        }
        try streams.write(Array(("\u{1b}[H" + styled.joined(separator: "\n") + "\u{1b}[J").utf8))
    }
}
