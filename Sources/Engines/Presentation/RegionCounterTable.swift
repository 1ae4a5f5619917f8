// SPDX-License-Identifier: Apache-2.0
import Buffers

/// The counters of all regions, in a cell each, so that publishing them allocates nothing.
/// - Thread: any.
final class RegionCounterTable: Sendable {
    private let cells: [PublishedValue<RegionCounters?>]

    init(count: Int) { cells = (0..<count).map { _ in PublishedValue(nil) } }

    var all: [RegionCounters] { cells.compactMap(\.value) }

    /// The index of a free cell; nil if all are taken.
    func firstFree() -> Int? { cells.firstIndex { $0.value == nil } }

    func set(_ counters: RegionCounters?, at index: Int) { cells[index].set(counters) }
}
