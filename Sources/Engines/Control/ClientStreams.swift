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

    public init(
        write: @escaping ([UInt8]) throws -> Void, tell: @escaping (String) -> Void, isTerminal: Bool, isStyled: Bool
    ) {
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
            isTerminal: isTerminal, isStyled: isTerminal && !StandardStream.refusesColour)
    }
}
