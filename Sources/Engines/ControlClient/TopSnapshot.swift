// SPDX-License-Identifier: Apache-2.0
import JSON
import Time

/// One sample: what a box reported about itself at one time.
struct TopSnapshot: Equatable {
    let time: Monotonic
    /// The box's local time as hh:mm:ss; empty if the box does not report it.
    let clock: String
    let status: JSONValue
    /// The result of `position`; null if nothing plays.
    let position: JSONValue
    let streams: [JSONValue]
    /// The integers of `stats` by `group.name`. Members outside groups are left out, because they repeat these values
    /// under the names of the reference's list of statistics (SVM-101…126).
    let counters: [String: Int64]
    /// The units of `counters` by the same names. A statistic without a unit has no entry.
    let units: [String: String]
    /// The names of the `counters` that only grow; nil if the box does not describe its statistics.
    let totals: Set<String>?

    /// - Parameters:
    ///   - status: the result of the command `status`. This and the other parameters are used as they came, unchecked.
    ///   - description: the result of `stats --describe`.
    init(
        time: Monotonic, status: JSONValue, position: JSONValue, streams: JSONValue, stats: JSONValue,
        description: JSONValue = .null
    ) {
        self.time = time
        clock = String((status["localTime"]?.string ?? "").dropFirst(11).prefix(8))
        self.status = status
        self.position = position
        self.streams = streams["streams"]?.array ?? []
        let members = AnswerText.flattened(stats["stats"]?.object ?? [:], under: "")
        counters = Dictionary(
            members.compactMap { name, value in name.contains(".") ? value.integer.map { (name, $0) } : nil },
            uniquingKeysWith: { $1 })
        let described = AnswerText.flattened(description["stats"]?.object ?? [:], under: "")
        units = Self.described(described, as: "unit").compactMapValues(\.string).filter { !$0.value.isEmpty }
        let kinds = Self.described(described, as: "kind").filter { $0.value == "counter" }
        totals = described.isEmpty ? nil : Set(kinds.keys)
    }

    /// The member of this name of each statistic's description, by the name of the statistic.
    private static func described(
        _ members: [(name: String, value: JSONValue)], as member: String
    ) -> [String: JSONValue] {
        let ending = "." + member
        let found = members.filter { $0.name.hasSuffix(ending) }
        return Dictionary(found.map { (String($0.name.dropLast(ending.count)), $0.value) }) { $1 }
    }

    /// The session that plays. Counters of different sessions cannot be compared, because each session starts from 0.
    var session: Int64? { status["session"]?.integer }
}
