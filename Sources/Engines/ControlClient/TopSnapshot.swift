// SPDX-License-Identifier: Apache-2.0
import JSON
import Time

/// What a box said of itself at one look.
struct TopSnapshot: Equatable {
    let time: Monotonic
    /// What the clocks where the box is show; empty when it does not say.
    let clock: String
    let status: JSONValue
    /// Null when nothing plays.
    let position: JSONValue
    let streams: [JSONValue]
    /// Of `stats`, by group and name; without the names of the reference, which stand in no group and count the same.
    let counters: [String: Int64]
    /// Of these, by their names; none for what counts nothing.
    let units: [String: String]
    /// Those of `counters` that only grow; nil: the box does not say.
    let totals: Set<String>?

    /// - Parameters:
    ///   - status: like the others the result of the command of this name, whatever came.
    ///   - description: that of `stats --describe`.
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

    /// One member of each description, by the counter's name.
    private static func described(
        _ members: [(name: String, value: JSONValue)], as member: String
    ) -> [String: JSONValue] {
        let ending = "." + member
        let found = members.filter { $0.name.hasSuffix(ending) }
        return Dictionary(found.map { (String($0.name.dropLast(ending.count)), $0.value) }) { $1 }
    }

    /// Counts of another session began anew.
    var session: Int64? { status["session"]?.integer }
}
