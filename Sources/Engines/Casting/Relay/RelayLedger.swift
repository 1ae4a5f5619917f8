// SPDX-License-Identifier: Apache-2.0
import JSON

/// What a relay did to the datagrams of one flow. `received + duplicated == sent + dropped`, and those that wait.
public struct RelayLedger: Equatable, Sendable {
    public var received: Int64 = 0
    public var sent: Int64 = 0
    public var dropped: Int64 = 0
    /// Of the dropped, those of an outage.
    public var outages: Int64 = 0
    /// Runs of datagrams dropped one after the other, and the longest.
    public var bursts: Int64 = 0
    public var longestBurst: Int64 = 0
    public var duplicated: Int64 = 0
    /// Sent behind one that came later; copies do not count.
    public var reordered: Int64 = 0
    /// Sent later than they came, without those held back to be overtaken.
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
