// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import JSON
import Provisioning
import Shapes
import Time
import Venue

struct PushOrder: DeferredCommand {
    var envelope: JSONValue = .null

    static let about = About(
        "push", "Give the box a signed order, which changes settings",
        help: """
            The envelope is what touchline config sign writes. Its signature is the right to change settings, whoever \
            brings it. Answers when the change is in effect and kept, or names the one reason why it is not.
            """, admission: .everybody)
    static let shape = Shape<Self>([.document("envelope", \.envelope, "The signed order.")])

    func run(on push: Push, _ reply: Reply<OrderReport>) { push.take(envelope, reply) }
}

/// An order that is in force.
struct LastOrder: Answer {
    let order: Int64
    let key: String
    let revision: Int
    let comment: String

    init(_ admitted: OrderAdmission.Admitted, _ outcome: SettingsOutcome) {
        order = admitted.order.revision
        key = admitted.key
        revision = outcome.revision
        comment = admitted.order.comment ?? ""
    }

    static let shape = Shape<Self>([
        .value("order", \.order, .count, "revision of the order"),
        .value("key", \.key, .text, "id of the key that signed it"),
        .value("revision", \.revision, .count, "of the settings, which it made"),
        .value("comment", \.comment, .text, "the order's; empty if it has none"),
    ])
}

/// An order that was refused.
struct LastRefusal: Answer {
    let reason: OrderRefusal.Reason
    let why: String
    let time: WallTime

    static let shape = Shape<Self>([
        .value("reason", \.reason, .choice, "as stats counts it"),
        .value("why", \.why, .text, "the sentence"),
        .computed("time", .text, "by the box's clock") { $0.time.description },
    ])
}

/// What an order did.
struct OrderReport: Answer {
    let order: LastOrder
    let paths: [String]

    static let shape = Shape<Self>([
        .value("order", \.order.order, .count, "revision of the order"),
        .value("key", \.order.key, .text, "id of the key that signed it"),
        .value("revision", \.order.revision, .count, "of the settings that is in force"),
        .value("paths", \.paths, .list(of: .text), "the settings that changed"),
    ])
}

struct ShowPush: Command {
    static let about = About(
        "push-status", "Show whose signed orders and commands the box takes, and which orders it had",
        help: "The memory of orders outlives a factory reset.", example: "")
    static let shape = Shape<Self>()

    func run(on push: Push) throws(Status) -> PushStatus {
        let admission = push.admission
        return PushStatus(
            keys: admission.keys.map { PushStatus.Row($0) }, group: admission.recipient.group ?? "",
            tags: admission.recipient.tags.sorted(), highest: admission.memory.highest,
            applied: admission.memory.applied, problem: push.memoryProblem, last: push.last,
            lastRefusal: push.lastRefusal, server: push.puller?.url, serverProblem: push.puller?.problem,
            reportProblem: push.puller?.reportProblem)
    }
}

struct PushStatus: Answer {
    struct Row: Answer {
        let id: String
        let fingerprint: String
        let targets: [String]
        let commands: [String]
        let expires: WallTime?

        init(_ key: OrderKey) {
            id = key.id
            fingerprint = key.fingerprint
            commands = key.commands
            targets = key.scopes.map(\.description).sorted()
            expires = key.expires
        }

        static let shape = Shape<Self>([
            .value("id", \.id, .text, "what orders call the key"),
            .detail("fingerprint", \.fingerprint, .text, "SHA-256 of the key's DER"),
            .value("targets", \.targets, .list(of: .text), "what it may address"),
            .value("commands", \.commands, .list(of: .text), "what it may give; push: orders"),
            .computed("expires", .text, "from when on it counts no longer; absent: never") {
                $0.expires?.description
            },
        ])
    }

    let keys: [Row]
    let group: String
    let tags: [String]
    let highest: Int64
    let applied: Int64?
    let problem: String?
    let last: LastOrder?
    let lastRefusal: LastRefusal?
    let server: String?
    let serverProblem: String?
    let reportProblem: String?

    static let shape = Shape<Self>([
        .value("keys", \.keys, .list(of: .row), "keys that the box trusts"),
        .value("group", \.group, .text, "the box's; empty if it has none"),
        .value("tags", \.tags, .list(of: .text), "the box's"),
        .value("highest", \.highest, .count, "highest revision of a genuine order; 0: there was none"),
        .unlessNil("applied", \.applied, .count, "revision of the order that is in force; absent: none is known"),
        .unlessNil("problem", \.problem, .text, "why no order is taken; absent: orders are taken"),
        .unlessNil("last", \.last, .row, "the last order since the start; absent: there was none"),
        .unlessNil("lastRefusal", \.lastRefusal, .row, "the last refusal since the start; absent: there was none"),
        .unlessNil("server", \.server, .text, "that is asked for orders; absent: none is"),
        .unlessNil("serverProblem", \.serverProblem, .text, "why it was not heard; absent: it was"),
        .unlessNil(
            "reportProblem", \.reportProblem, .text, "why the report was not taken; absent: it was, or none is sent"),
    ])
}

struct OrderAccepted: FeatureEvent {
    let order: LastOrder
    let paths: [String]

    static let about = EventAbout(.service, "orderAccepted", "A signed order changed the settings.")
    static let shape = Shape<Self>([
        .value("order", \.order.order, .count, "revision of the order"),
        .value("key", \.order.key, .text, "id of the key that signed it"),
        .value("revision", \.order.revision, .count, "of the settings, which it made"),
        .value("comment", \.order.comment, .text, "the order's; empty if it has none"),
        .value("paths", \.paths, .list(of: .text), "the settings that changed"),
    ])
}

struct OrderRefused: FeatureEvent {
    let reason: OrderRefusal.Reason
    let why: String

    static let about = EventAbout(.service, "orderRefused", "A signed order was refused; nothing changed.")
    static let shape = Shape<Self>([
        .value("reason", \.reason, .choice, "as stats counts it"),
        .value("why", \.why, .text, "the sentence"),
    ])
}
