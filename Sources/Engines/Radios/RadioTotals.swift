// SPDX-License-Identifier: Apache-2.0

/// What has happened on an interface of a radio since the service started, over all its associations.
public struct RadioTotals: Hashable, Sendable {
    private var counts: [RadioCounter: UInt64] = [:]
    /// How often the client moved from one access point to another.
    public internal(set) var roams: UInt64 = 0
    /// How often a client was connected, or clients of an access point came.
    public internal(set) var connects: UInt64 = 0
    /// How often a connection ended.
    public internal(set) var disconnects: UInt64 = 0
    /// How often a counter went back within an association, and not by a wrap: the driver began it anew.
    public internal(set) var counterResets: UInt64 = 0

    public init() {}

    /// nil if the driver has never told it.
    public internal(set) subscript(counter: RadioCounter) -> UInt64? {
        get { counts[counter] }
        set { counts[counter] = newValue }
    }

    /// How much was counted since `before`. An interface that was forgotten in between counts from 0.
    func since(_ before: RadioTotals) -> RadioTotals {
        func difference(_ now: UInt64, _ before: UInt64) -> UInt64 { now >= before ? now - before : now }
        var deltas = RadioTotals()
        for (counter, count) in counts { deltas[counter] = difference(count, before[counter] ?? 0) }
        deltas.roams = difference(roams, before.roams)
        deltas.connects = difference(connects, before.connects)
        deltas.disconnects = difference(disconnects, before.disconnects)
        deltas.counterResets = difference(counterResets, before.counterResets)
        return deltas
    }
}
