// SPDX-License-Identifier: Apache-2.0
import Commands
import ControlMessages
import JSON
import System
import Venue

/// The console on the serial line: each line is a command. A child process executes it, so that a command may run
/// without end, fail or be interrupted, and the console goes on.
struct Console {
    private static let prompt = "touchline> "

    private let socket: [String]
    private let path: String
    private let streams: ClientStreams

    init(socket: String?, _ streams: ClientStreams) {
        self.socket = socket.map { ["--socket", $0] } ?? []
        path = socket ?? Client.defaultSocket
        self.streams = streams
    }

    /// Executes commands until the input ends, or until `exit` or `quit`.
    /// - Throws: `ConsoleEnd` with the exit code of the last command, unless that is 0; an error of input or output.
    func run() throws {
        let isAsking = StandardInput.isTerminal
        let input = LineInput(longest: CommandWords.longest, takesInterrupts: isAsking)
        var last: Int32 = 0
        if isAsking { try write("\nTouchline. Type help for the commands; Ctrl-C ends one that goes on.\n\(claim)") }
        while true {
            if isAsking { try write(Self.prompt) }
            switch try input.next() {
            case .line(let octets):
                // The service may have started after the console: whoever presses Enter is told.
                if isAsking, octets.allSatisfy({ $0 == UInt8(ascii: " ") }) { try write(claim) }
                guard let ended = try execute(String(decoding: octets, as: UTF8.self), after: last) else {
                    return try end(last)
                }
                last = ended
            case .tooLong:
                last = tell(CommandError.lineTooLong(octets: CommandWords.longest + 1, limit: CommandWords.longest))
            case .interrupted: try write("\n")
            case .ended:
                if isAsking { try write("\n") }
                return try end(last)
            }
        }
    }

    /// How the box can be claimed, in lines of their own; empty if it cannot, or if the service does not say.
    private var claim: String {
        let request = ControlRequest(id: 1, command: "access-status")
        var answer: JSONValue?
        do {
            var client = try ControlClient(connectingTo: path)
            try client.wait(atMost: .seconds(2))
            try client.send(request)
            if case .answer(_, let result)? = try client.next() { answer = result }
        } catch {
            return ""  // the first command says that the service does not answer
        }
        guard let answer, let code = answer["code"]?.string else { return "" }
        let certificate = answer["fingerprint"]?.string.map { "Its certificate is \($0).\n" } ?? ""
        let text = "Nobody has claimed this box. Its code is \(code), for \(answer["secondsLeft"]?.integer ?? 0) s.\n"
        return AnswerText.harmless(text + certificate, keeping: "\n")
    }

    /// - Parameter last: the exit code of the command before.
    /// - Returns: the exit code of the command, or `last` for an empty line; nil if the console is to end.
    private func execute(_ line: String, after last: Int32) throws -> Int32? {
        let words: [String]
        do {
            words = try CommandWords(line).words
        } catch {
            return tell(error)
        }
        switch words.first {
        case nil: return last
        case "exit", "quit": return nil
        case "console": return tell(CommandError.unexpectedArgument("console", command: "console"))
        default: return try ChildProcess.runSelf(with: socket + words)
        }
    }

    private func tell(_ error: CommandError) -> Int32 {
        streams.tell(AnswerText.harmless(error.status.errorString))
        return Int32(error.status.code.rawValue)
    }

    private func end(_ code: Int32) throws {
        guard code != 0 else { return }
        throw ConsoleEnd(code: code)
    }

    private func write(_ text: String) throws { try streams.write(Array(text.utf8)) }
}

/// The console ended after a command that failed. That command has printed its message already.
struct ConsoleEnd: Error {
    let code: Int32
}
