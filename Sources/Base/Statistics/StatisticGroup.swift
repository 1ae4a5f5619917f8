// SPDX-License-Identifier: Apache-2.0
import JSON

/// The statistics of one engine, or of several engines of one kind, and the way to read them.
///
/// Not Sendable: it lives on the thread of its registry. The engine's threads hand it their counters whole, by a
/// `PublishedValue`, so that all members of a group are of one instant.
public final class StatisticGroup {
    /// The values of one engine, and the labels that distinguish it from others of its kind. A value is nil while it
    /// does not apply.
    typealias Reading = (labels: [String: String], values: [StatisticValue?])

    /// Name in `stats`, in camelCase.
    public let name: String
    /// The statistics in the order of their declaration.
    public let members: [StatisticDescription]
    let readings: () -> [Reading]
    /// Appends the objects of the group that `StatisticRegistry.sample` makes.
    let sample: (_ octets: inout [UInt8]) -> Void

    /// - Parameters:
    ///   - labels: what distinguishes this group from others of the same name: `["session": "7"]`.
    ///   - read: returns a copy of the counters, or nil while there are none, such as those of an absent screen.
    public convenience init<Counters>(
        _ name: String, labels: [String: String] = [:], _ statistics: [Statistic<Counters>],
        read: @escaping () -> Counters?
    ) {
        self.init(name, each: statistics) { read().map { [(labels, $0)] } ?? [] }
    }

    /// Makes a group for engines that come and go: each reading covers those that exist then.
    /// - Parameter read: returns a copy of the counters of each engine, with the labels that distinguish it.
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
        let (template, name) = (StatisticTemplate(places), JSONValue.string(name).text())
        // A statistic is not taken from its array for each value: that copies its whole description.
        let reads = statistics.map(\.read)
        sample = { octets in
            for (labels, counters) in read() {
                octets += octets.last == UInt8(ascii: "}") ? ",{\"labels\":".utf8 : "{\"labels\":".utf8
                octets += JSONValue.object(labels.mapValues { .string($0) }).octets()
                octets += ",\"name\":\(name),\"values\":".utf8
                template.write(to: &octets) { reads[$0](counters) }
                octets += "}".utf8
            }
        }
    }
}
