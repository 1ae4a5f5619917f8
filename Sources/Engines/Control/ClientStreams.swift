// SPDX-License-Identifier: Apache-2.0
import Glibc
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
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let hasNoColor = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        return ClientStreams(
            write: { try writeAll($0, to: STDOUT_FILENO) },
            tell: { line in
                // There is nobody left to tell that telling failed.
                try? writeAll(Array("touchline: \(line)\n".utf8), to: STDERR_FILENO)
            },
            isTerminal: isTerminal, isStyled: isTerminal && !hasNoColor)
    }

    private static func writeAll(_ octets: [UInt8], to descriptor: CInt) throws(SystemCallError) {
        var rest = octets[...]
        while !rest.isEmpty {
            let count = try syscall("write") {
                rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(count)
        }
    }
}
