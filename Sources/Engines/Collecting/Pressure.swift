// SPDX-License-Identifier: Apache-2.0

/// How many come in vain, against how many are served: the more, the later they are to come again. Whoever comes too early costs
/// those that are served time, and waits longer himself.
public struct Pressure: Equatable, Sendable {
    /// Limit on what is asked of a box beyond what the work that waits takes.
    static let longest: Int64 = 60
    /// Seconds that are remembered.
    private static let span: Int64 = 8

    private var served: Int64 = 0
    private var sentAway: Int64 = 0

    public init() {}

    public mutating func serve() { served += 1 }
    public mutating func sendAway() { sentAway += 1 }

    /// To be called each second.
    public mutating func age() {
        served -= (served + Self.span - 1) / Self.span
        sentAway -= (sentAway + Self.span - 1) / Self.span
    }

    /// Seconds in which those that were sent away lately could all be served.
    public var seconds: Int64 { min(Self.longest, sentAway * Self.span / max(Self.span, served)) }
}
