// SPDX-License-Identifier: Apache-2.0

/// Limits on a JSON text that is parsed.
public struct JSONLimits: Hashable, Sendable {
    /// Arrays and objects nested inside one another.
    public let maximumDepth: Int
    public let maximumOctets: Int
    /// Number of all values, nested ones included.
    public let maximumValues: Int

    /// - Parameter maximumDepth: 0...256, clamped; the parser nests calls as the text nests values.
    public init(maximumDepth: Int = 32, maximumOctets: Int = 1 << 20, maximumValues: Int = 100_000) {
        self.maximumDepth = min(max(maximumDepth, 0), 256)
        self.maximumOctets = maximumOctets
        self.maximumValues = maximumValues
    }
}
