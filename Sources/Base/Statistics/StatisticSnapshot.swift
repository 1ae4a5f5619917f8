// SPDX-License-Identifier: Apache-2.0
import JSON

/// The values of all statistics. The members of one group are of one instant.
public struct StatisticSnapshot: Sendable {
    public typealias Member = (about: StatisticDescription, value: StatisticValue)

    public struct Group: Sendable {
        public let name: String
        public let labels: [String: String]
        /// The statistics that have a value, in the order of their declaration.
        public let members: [Member]

        /// The value of the statistic whose path ends in this name (the name itself for most); nil if there is none.
        public subscript(name: String) -> StatisticValue? { members.first { $0.about.path.last == name }?.value }

        public var json: JSONValue {
            StatisticSnapshot.document(of: members.map { ($0.about.path, $0.value.json) })
        }
    }

    public let groups: [Group]

    init(_ groups: [Group]) { self.groups = groups }

    /// The first group of this name that has at least these labels; nil if there is none.
    public func group(_ name: String, _ labels: [String: String] = [:]) -> Group? {
        groups.first { group in
            group.name == name && labels.allSatisfy { group.labels[$0.key] == $0.value }
        }
    }

    /// A value and its path of keys.
    typealias Placed = (path: [String], value: JSONValue)

    static func document(of members: [Placed]) -> JSONValue {
        var document: [String: JSONValue] = [:]
        for (path, value) in members { place(value, at: path[...], in: &document) }
        return .object(document)
    }

    private static func place(_ value: JSONValue, at path: ArraySlice<String>, in document: inout [String: JSONValue]) {
        guard let first = path.first else { return }
        guard path.count > 1 else {
            document[first] = value
            return
        }
        var inner = document[first]?.object ?? [:]
        place(value, at: path.dropFirst(), in: &inner)
        document[first] = .object(inner)
    }
}
