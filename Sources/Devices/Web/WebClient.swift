// SPDX-License-Identifier: Apache-2.0

/// Identifies one connection to a `WebServer`; it is never reused.
public struct WebClient: Hashable, Sendable {
    /// Of this server alone.
    public let number: UInt64

    public init(number: UInt64) { self.number = number }
}
