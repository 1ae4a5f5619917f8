// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Reads standard input line by line.
/// - Thread: one.
public final class LineInput {
    /// What a read brought.
    public enum News: Equatable, Sendable {
        /// The line without its line end.
        case line([UInt8])
        /// The line exceeded the limit and was discarded.
        case tooLong
        case ended
    }

    private let longest: Int
    private var rest: [UInt8] = []
    private var isSkipping = false
    private var hasEnded = false

    /// - Parameter longest: greatest length of a line in octets.
    public init(longest: Int) { self.longest = longest }

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
            let count = try syscall("read") { Glibc.read(STDIN_FILENO, &buffer, buffer.count) }
            hasEnded = count == 0
            rest += buffer.prefix(count)
        }
    }

    private func taken(_ line: [UInt8]) -> News {
        defer { isSkipping = false }
        return isSkipping || line.count > longest ? .tooLong : .line(line.last == 13 ? line.dropLast() : line)
    }
}
