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
    /// Whether a terminal can show neither colours nor blocks, or shall not.
    public let isPlain: Bool
    /// The width of the terminal, at least 1.
    public let columns: Int

    public init(
        write: @escaping ([UInt8]) throws -> Void, tell: @escaping (String) -> Void, isTerminal: Bool, isStyled: Bool,
        isPlain: Bool = false, columns: Int = 80
    ) {
        self.columns = max(1, columns)
        self.write = write
        self.tell = tell
        self.isTerminal = isTerminal
        self.isStyled = isStyled
        self.isPlain = isPlain
    }

    /// Tells a command that its output is shown on a terminal of so many columns, though it writes to a pipe.
    static func environment(ofColumns columns: Int) -> [String] { ["\(variable)=\(columns)"] }

    private static let variable = "TOUCHLINE_COLUMNS"

    /// The streams of this process. Styles are off if `NO_COLOR` is set.
    public static func standard() -> ClientStreams {
        let shown = ProgramEnvironment[variable].flatMap { Int($0) }
        let isTerminal = StandardStream.output.isTerminal
        return ClientStreams(
            write: { try StandardStream.output.write($0) },
            tell: { line in
                // A failure to write to standard error cannot be reported anywhere.
                try? StandardStream.error.write(Array("touchline: \(line)\n".utf8))
            },
            isTerminal: isTerminal || shown != nil, isStyled: isTerminal && !StandardStream.refusesColour,
            isPlain: StandardStream.isDumb || StandardStream.refusesColour,
            columns: shown ?? Terminal.size.map(\.columns) ?? 80)
    }
}
