// SPDX-License-Identifier: Apache-2.0

/// The statistics of one engine, or of one of several of its kind, and the way to read them.
///
/// Not Sendable: of the thread that its registry is of. What the engine's threads count reaches it by a
/// `PublishedValue`, whole, so that all members of a group are of one instant.
public final class StatisticGroup {
    /// One engine's counters, and what tells it from its kin.
    typealias Reading = (labels: [String: String], values: [StatisticValue?])

    /// As in `stats`, camelCase.
    public let name: String
    /// In the order of their declaration.
    public let members: [StatisticDescription]
    let readings: () -> [Reading]

    /// - Parameters:
    ///   - labels: what tells this group from others of its name: `["session": "7"]`.
    ///   - read: a copy of the counters; nil while there are none, as those of a screen that is not there.
    public convenience init<Counters>(
        _ name: String, labels: [String: String] = [:], _ statistics: [Statistic<Counters>],
        read: @escaping () -> Counters?
    ) {
        self.init(name, each: statistics) { read().map { [(labels, $0)] } ?? [] }
    }

    /// Of engines that come and go without anybody's telling.
    /// - Parameter read: a copy of the counters of each, under the labels that tell it from the others.
    public init<Counters>(
        _ name: String, each statistics: [Statistic<Counters>],
        read: @escaping () -> [(labels: [String: String], counters: Counters)]
    ) {
        let places = statistics.map(\.about.path)
        precondition(Set(places).count == places.count, "\(name) has two statistics of one name")
        self.name = name
        members = statistics.map(\.about)
        readings = {
            read().map { labels, counters in (labels, statistics.map { $0.read(counters) }) }
        }
    }
}
