// SPDX-License-Identifier: Apache-2.0
import Commands
import System

/// The console without a terminal: it executes the lines of a pipe.
struct ConsoleScript {
    private let catalogue: Catalogue
    private let tree: CommandWordTree
    private let socket: [String]
    private let streams: ClientStreams

    init(_ catalogue: Catalogue, socket: String?, _ streams: ClientStreams) {
        self.catalogue = ConsoleCommands.catalogue(catalogue)
        tree = CommandWordTree(self.catalogue)
        self.socket = socket.map { ["--socket", $0] } ?? []
        self.streams = streams
    }

    /// Executes lines until the input ends, or until `exit`.
    /// - Throws: `ConsoleEnd` with the exit code of the last command, unless that is 0; an error of input or output.
    func run() throws {
        let input = LineInput(longest: CommandWords.longest)
        var last: Int32 = 0
        reading: while true {
            switch try input.next() {
            case .line(let octets):
                guard let code = try execute(String(decoding: octets, as: UTF8.self), after: last) else {
                    break reading
                }
                last = code
            case .tooLong:
                last = tell(.lineTooLong(octets: CommandWords.longest + 1, limit: CommandWords.longest))
            case .ended: break reading
            }
        }
        if last != 0 { throw ConsoleEnd(code: last) }
    }

    /// - Parameter last: the exit code of the command before.
    /// - Returns: the exit code of the command, or `last` for an empty line; nil if the console is to end.
    private func execute(_ text: String, after last: Int32) throws -> Int32? {
        let line: ConsoleLine
        var words: [String]
        do throws(CommandError) {
            line = try ConsoleLine(text)
            words = try tree.expand(line.words)
            guard !words.isEmpty else { return last }
            if ConsoleCommands.names.contains(words[0]) {
                _ = try Invocation(words, in: catalogue)
                return words[0].hasPrefix("terminal") ? 0 : nil
            }
        } catch {
            return tell(error)
        }
        if line.isJSON { words.append("--json") }
        guard !line.filters.isEmpty else { return try ChildProcess(socket + words, output: .streams).wait() }
        let child = try ChildProcess(socket + words, output: .captured)
        var output = ConsoleOutput(line.filters, rows: nil, columns: 80)
        while true {
            let octets = child.read()
            if octets.isEmpty { output.end() } else { output.take(octets) }
            while let line = output.nextLine() { try streams.write(Array((line + "\n").utf8)) }
            if octets.isEmpty { return try child.wait() }
        }
    }

    private func tell(_ error: CommandError) -> Int32 {
        streams.tell(AnswerText.harmless(error.status.errorString))
        return Int32(error.status.code.rawValue)
    }
}
