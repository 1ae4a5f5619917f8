// SPDX-License-Identifier: Apache-2.0

/// Identifies one connection to a `WebServer`; it is never reused.
public struct WebClient: Hashable, Sendable {
    /// Distinguishes the connections of one server; connections of two servers may have the same number.
    public let number: UInt64

    public init(number: UInt64) { self.number = number }
}
