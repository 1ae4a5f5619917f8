// SPDX-License-Identifier: Apache-2.0
import Time

/// Reports of one start of a box that came together.
public struct IncomingBatch: Equatable, Sendable {
    public let source: ReportSource
    public let reports: [IncomingReport]
    /// By the reporter's clock. What is kept is sorted by it, because boxes' clocks may be wrong.
    public let arrived: WallTime

    public init(_ source: ReportSource, _ reports: [IncomingReport], arrived: WallTime) {
        self.source = source
        self.reports = reports
        self.arrived = arrived
    }

    public var octets: Int { reports.reduce(0) { $0 + $1.octets } }
}

/// What a store has done with a batch, once it is on the disk.
public struct BatchOutcome: Equatable, Sendable {
    /// A report that will never be taken.
    public struct Refusal: Equatable, Sendable {
        public let sequence: Int64
        public let why: String

        public init(_ sequence: Int64, _ why: String) { (self.sequence, self.why) = (sequence, why) }
    }

    /// What of the batch is on the disk, whenever it came there; ascending, with both ends.
    public var acknowledged: [ClosedRange<Int64>] = []
    public var refused: [Refusal] = []
    /// How many came for the first time.
    public var new = 0
    /// How many were there before.
    public var known = 0

    public init() {}
}
