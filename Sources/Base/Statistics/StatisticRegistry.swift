// SPDX-License-Identifier: Apache-2.0

/// All groups of the process: everybody who shows statistics reads them here.
///
/// Not Sendable: lives on the control loop. Reading takes copies of what the engines have published; none waits for it.
public final class StatisticRegistry {
    /// In the order in which they came.
    public private(set) var groups: [StatisticGroup] = []

    public init() {}

    /// Whoever owns the engine attaches its group, and detaches it before the engine is gone.
    public func attach(_ group: StatisticGroup) { groups.append(group) }

    public func detach(_ group: StatisticGroup) { groups.removeAll { $0 === group } }

    public func snapshot() -> StatisticSnapshot {
        StatisticSnapshot(
            groups.flatMap { group in
                group.readings().map { labels, values in
                    StatisticSnapshot.Group(
                        name: group.name, labels: labels,
                        members: zip(group.members, values).compactMap { about, value in value.map { (about, $0) } })
                }
            })
    }
}
