// SPDX-License-Identifier: Apache-2.0
import JSON

/// All groups of statistics of the process. Everything that shows statistics reads them here.
///
/// Not Sendable: it lives on the control loop. Reading copies what the engines have published; no engine waits for it.
public final class StatisticRegistry {
    /// The groups in the order in which they were attached.
    public private(set) var groups: [StatisticGroup] = []

    public init() {}

    /// The owner of an engine attaches its group, and detaches it before the engine ends.
    public func attach(_ group: StatisticGroup) { groups.append(group) }

    public func detach(_ group: StatisticGroup) { groups.removeAll { $0 === group } }

    /// Descriptions of the members of each group, without values, by the group's name and the members' paths. `order`
    /// is the order of their declaration.
    public var descriptions: JSONValue {
        var (result, order): ([String: JSONValue], Int64) = ([:], 0)
        for group in groups where result[group.name] == nil {
            let members: [StatisticSnapshot.Placed] = group.members.map { about in
                order += 1
                return (about.path, about.json.merging(patch: ["order": .integer(order)]))
            }
            result[group.name] = StatisticSnapshot.document(of: members)
        }
        return .object(result)
    }

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

    /// Appends all values as an array of JSON, with the name, the labels and the object of each group. It makes nothing
    /// else: who takes a sample each second would else be a measurable part of the box's processor time.
    public func sample(to octets: inout [UInt8]) {
        octets.append(UInt8(ascii: "["))
        for group in groups { group.sample(&octets) }
        octets.append(UInt8(ascii: "]"))
    }
}
