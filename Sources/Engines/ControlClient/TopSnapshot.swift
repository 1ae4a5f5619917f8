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

    /// - Parameters: results of the commands of these names, whatever came.
    init(time: Monotonic, status: JSONValue, position: JSONValue, streams: JSONValue, stats: JSONValue) {
        self.time = time
        clock = String((status["localTime"]?.string ?? "").dropFirst(11).prefix(8))
        self.status = status
        self.position = position
        self.streams = streams["streams"]?.array ?? []
        let members = AnswerText.flattened(stats["stats"]?.object ?? [:], under: "")
        counters = Dictionary(
            members.compactMap { name, value in name.contains(".") ? value.integer.map { (name, $0) } : nil },
            uniquingKeysWith: { $1 })
    }

    /// Counts of another session began anew.
    var session: Int64? { status["session"]?.integer }
}
