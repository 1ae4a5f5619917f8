// SPDX-License-Identifier: Apache-2.0
/// A report that the reporter will never take.
public struct ReportRefusal: Equatable, Sendable {
    /// Characters of the longest reason.
    public static let mostCharacters = 512

    public let sequence: UInt64
    public let why: String

    /// - Parameters:
    ///   - sequence: one of `Report.sequences`.
    ///   - why: cut off if it is longer than `mostCharacters`.
    public init(_ sequence: UInt64, _ why: String) {
        precondition(Report.sequences.contains(sequence))
        self.sequence = sequence
        let scalars = why.unicodeScalars
        guard scalars.count > Self.mostCharacters else {
            self.why = why
            return
        }
        self.why = String(String.UnicodeScalarView(scalars.prefix(Self.mostCharacters - 1))) + "…"
    }
}
