// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// Reads standard input, from a terminal or a pipe, line by line.
/// - Thread: one.
public final class LineInput {
    /// What a read brought.
    public enum News: Equatable, Sendable {
        /// The line without its line end.
        case line([UInt8])
        /// The line exceeded the limit and was discarded.
        case tooLong
        /// Ctrl-C; what was typed of the line was discarded.
        case interrupted
        case ended
    }

    private let longest: Int
    private let takesInterrupts: Bool
    private var rest: [UInt8] = []
    private var isSkipping = false
    private var hasEnded = false

    /// - Parameters:
    ///   - longest: greatest length of a line in octets.
    ///   - takesInterrupts: whether Ctrl-C is reported as `interrupted` instead of ending this process. It still ends
    ///     child processes.
    public init(longest: Int, takesInterrupts: Bool) {
        self.longest = longest
        self.takesInterrupts = takesInterrupts
        if takesInterrupts { touchline_take_interrupts() }
    }

    public func next() throws(SystemCallError) -> News {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(rest[..<end])
                rest.removeFirst(end + 1)
                return taken(line)
            }
            if rest.count > longest { (isSkipping, rest) = (true, []) }
            if hasEnded {
                guard !rest.isEmpty || isSkipping else { return .ended }
                defer { rest = [] }
                return taken(rest)
            }
            var buffer = [UInt8](repeating: 0, count: 1_024)
            let isReady = !takesInterrupts || touchline_await_input(STDIN_FILENO) == 0
            let count = isReady ? Glibc.read(STDIN_FILENO, &buffer, buffer.count) : -1
            guard count >= 0 else {
                let code = Errno.current
                guard code == .interrupted else { throw SystemCallError("read", code) }
                (rest, isSkipping) = ([], false)
                return .interrupted
            }
            hasEnded = count == 0
            rest += buffer.prefix(count)
        }
    }

    private func taken(_ line: [UInt8]) -> News {
        defer { isSkipping = false }
        return isSkipping || line.count > longest ? .tooLong : .line(line.last == 13 ? line.dropLast() : line)
    }
}
