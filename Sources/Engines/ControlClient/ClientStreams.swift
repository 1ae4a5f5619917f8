// SPDX-License-Identifier: Apache-2.0
import System

/// The destinations of the client's data and messages.
public struct ClientStreams {
    /// Writes data to standard output.
    public let write: ([UInt8]) throws -> Void
    /// Writes a message to standard error. It is one line, without a newline at its end.
    public let tell: (String) -> Void
    /// Whether the data go to a terminal.
    public let isTerminal: Bool
    public let isStyled: Bool
    /// The width of the terminal, at least 1.
    public let columns: Int

    public init(
        write: @escaping ([UInt8]) throws -> Void, tell: @escaping (String) -> Void, isTerminal: Bool, isStyled: Bool,
        columns: Int = 80
    ) {
        self.columns = max(1, columns)
        self.write = write
        self.tell = tell
        self.isTerminal = isTerminal
        self.isStyled = isStyled
    }

    /// The streams of this process. Styles are off if `NO_COLOR` is set.
    public static func standard() -> ClientStreams {
        let isTerminal = StandardStream.output.isTerminal
        return ClientStreams(
            write: { try StandardStream.output.write($0) },
            tell: { line in
                // A failure to write to standard error cannot be reported anywhere.
                try? StandardStream.error.write(Array("touchline: \(line)\n".utf8))
            },
            isTerminal: isTerminal, isStyled: isTerminal && !StandardStream.refusesColour,
            columns: Terminal.size.map(\.columns) ?? 80)
    }
}
