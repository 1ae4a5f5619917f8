// SPDX-License-Identifier: Apache-2.0

/// Splits a typed line into words; `WordScanner` has the rules.
public struct CommandWords: Equatable, Sendable {
    /// The most octets of a line. A person types no longer line.
    public static let longest = 4_096

    public let words: [String]

    public init(_ line: String) throws(CommandError) {
        guard line.utf8.count <= Self.longest else { throw .lineTooLong(octets: line.utf8.count, limit: Self.longest) }
        words = try WordScanner(line).ended().compactMap { if case .word(let word) = $0 { word } else { nil } }
    }
}
