// SPDX-License-Identifier: Apache-2.0
import System

/// Where the client's data and messages go.
public struct ClientStreams {
    /// Data, to standard output.
    public let write: ([UInt8]) throws -> Void
    /// A message, to standard error: one line without its end.
    public let tell: (String) -> Void
    /// Whether a person looks at the data.
    public let isTerminal: Bool
    public let isStyled: Bool
    /// Of the terminal, at least 1.
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

    /// Of this process; `NO_COLOR` is honoured.
    public static func standard() -> ClientStreams {
        let isTerminal = StandardStream.output.isTerminal
        return ClientStreams(
            write: { try StandardStream.output.write($0) },
            tell: { line in
                // There is nobody left to tell that telling failed.
                try? StandardStream.error.write(Array("touchline: \(line)\n".utf8))
            },
            isTerminal: isTerminal, isStyled: isTerminal && !StandardStream.refusesColour,
            columns: Terminal.size.map(\.columns) ?? 80)
    }
}
