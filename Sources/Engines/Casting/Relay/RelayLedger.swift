// SPDX-License-Identifier: Apache-2.0
import JSON

/// Totals of what a relay did to the datagrams of one flow: `received + duplicated == sent + dropped + waiting`.
public struct RelayLedger: Equatable, Sendable {
    public var received: Int64 = 0
    public var sent: Int64 = 0
    public var dropped: Int64 = 0
    /// The part of `dropped` that fell into an outage.
    public var outages: Int64 = 0
    /// Runs of datagrams that were dropped in a row. `longestBurst` is the length of the longest.
    public var bursts: Int64 = 0
    public var longestBurst: Int64 = 0
    public var duplicated: Int64 = 0
    /// Datagrams sent after one that came later; copies do not count.
    public var reordered: Int64 = 0
    /// Datagrams sent later than they came, not counting those held back for reordering.
    public var delayed: Int64 = 0
    public var corrupted: Int64 = 0

    public init() {}

    public var lossRate: Double { received > 0 ? Double(dropped) / Double(received) : 0 }

    public var json: JSONValue {
        [
            "received": .integer(received), "sent": .integer(sent), "dropped": .integer(dropped),
            "outages": .integer(outages), "bursts": .integer(bursts), "longestBurst": .integer(longestBurst),
            "duplicated": .integer(duplicated), "reordered": .integer(reordered), "delayed": .integer(delayed),
            "corrupted": .integer(corrupted),
        ]
    }
}
