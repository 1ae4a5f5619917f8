// SPDX-License-Identifier: Apache-2.0
import Hosting
import JSON
import Provisioning
import Shapes
import Time

/// A group command that was carried out.
struct LastGroupCommand: Answer {
    let command: String
    let arguments: JSONValue
    let key: String
    let sequence: Int64
    let source: String
    /// From the sender's clock to the box's.
    let delayMs: Int64
    /// nil if it succeeded.
    let problem: String?

    static let shape = Shape<Self>([
        .value("command", \.command, .text, "its name"),
        .value("arguments", \.arguments, .anything, "its arguments"),
        .value("key", \.key, .text, "id of the key that signed it"),
        .value("sequence", \.sequence, .count, "of the commands of the key"),
        .value("source", \.source, .text, "address that it came from, or the data channel"),
        .value("delayMs", \.delayMs, .integer, "from its time to its effect, as far as the clocks agree"),
        .unlessNil("problem", \.problem, .text, "why it failed; absent: it succeeded"),
    ])
}

/// A group command that was refused.
struct LastCommandRefusal: Answer {
    let reason: CommandRefusal.Reason
    let why: String
    let source: String
    let time: WallTime

    static let shape = Shape<Self>([
        .value("reason", \.reason, .choice, "as stats counts it"),
        .value("why", \.why, .text, "the sentence"),
        .value("source", \.source, .text, "address that it came from, or the data channel"),
        .computed("time", .text, "by the box's clock") { $0.time.description },
    ])
}

struct GroupCommandActed: FeatureEvent {
    let last: LastGroupCommand

    static let about = EventAbout(.service, "groupCommandActed", "A signed group command was carried out.")
    static let shape = Shape<Self>([
        .value("command", \.last.command, .text, "its name"),
        .value("arguments", \.last.arguments, .anything, "its arguments"),
        .value("key", \.last.key, .text, "id of the key that signed it"),
        .value("sequence", \.last.sequence, .count, "of the commands of the key"),
        .value("source", \.last.source, .text, "address that it came from, or the data channel"),
        .value("delayMs", \.last.delayMs, .integer, "from its time to its effect, as far as the clocks agree"),
        .unlessNil("problem", \.last.problem, .text, "why it failed; absent: it succeeded"),
    ])
}

struct GroupCommandRefused: FeatureEvent {
    let last: LastCommandRefusal

    static let about = EventAbout(
        .service, "groupCommandRefused", "What was to be a group command was refused; nothing was done.")
    static let shape = Shape<Self>([
        .value("reason", \.last.reason, .choice, "as stats counts it"),
        .value("why", \.last.why, .text, "the sentence"),
        .value("source", \.last.source, .text, "address that it came from, or the data channel"),
    ])
}
