// SPDX-License-Identifier: Apache-2.0

/// How much of a JSON text one is ready to read.
public struct JSONLimits: Hashable, Sendable {
    /// Arrays and objects inside one another.
    public let maximumDepth: Int
    public let maximumOctets: Int
    /// All values together, those inside others as well.
    public let maximumValues: Int

    /// - Parameter maximumDepth: at most 256, because reading nests calls.
    public init(maximumDepth: Int = 32, maximumOctets: Int = 1 << 20, maximumValues: Int = 100_000) {
        self.maximumDepth = min(max(maximumDepth, 0), 256)
        self.maximumOctets = maximumOctets
        self.maximumValues = maximumValues
    }
}
