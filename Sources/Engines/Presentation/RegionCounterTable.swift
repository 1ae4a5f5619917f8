// SPDX-License-Identifier: Apache-2.0
import Buffers

/// The counters of all regions, one cell each, so that publishing them allocates nothing.
final class RegionCounterTable: Sendable {
    private let cells: [PublishedValue<RegionCounters?>]

    init(count: Int) { cells = (0..<count).map { _ in PublishedValue(nil) } }

    var all: [RegionCounters] { cells.compactMap(\.value) }

    /// Nil if every cell is taken.
    func firstFree() -> Int? { cells.firstIndex { $0.value == nil } }

    func set(_ counters: RegionCounters?, at index: Int) { cells[index].set(counters) }
}
