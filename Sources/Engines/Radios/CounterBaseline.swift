// SPDX-License-Identifier: Apache-2.0
import Radio

/// The counters of one association as they were last seen.
struct CounterBaseline {
    /// Whether the association began while the service ran: then all that it has counted is new.
    let countsFromZero: Bool
    private var values: [RadioCounter: UInt64] = [:]

    init(countsFromZero: Bool) { self.countsFromZero = countsFromZero }

    /// Adds what was counted since the sample before. A counter that the driver leaves out of a sample goes on with the
    /// next one that has it.
    mutating func count(_ figures: StationFigures, into totals: inout RadioTotals) {
        for counter in RadioCounter.allCases {
            guard let value = counter.value(of: figures) else { continue }
            var grown = countsFromZero ? value : 0
            if let before = values[counter] {
                if let difference = Self.growth(from: before, to: value) {
                    grown = difference
                } else {
                    grown = value
                    totals.counterResets &+= 1
                }
            }
            totals[counter] = (totals[counter] ?? 0) &+ grown
            values[counter] = value
        }
    }

    /// A counter of 32 bits that goes back by more than half its range has wrapped. Octets count as such while they are
    /// below 2^32, since some kernels have no more bits of them.
    /// - Returns: nil if the driver began anew.
    static func growth(from before: UInt64, to value: UInt64) -> UInt64? {
        if value >= before { return value - before }
        let range: UInt64 = 1 << 32
        return before < range && before - value > range / 2 ? value + range - before : nil
    }
}
