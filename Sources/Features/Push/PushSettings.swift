// SPDX-License-Identifier: Apache-2.0
import Bytes
import Hosting
import JSON
import Provisioning
import Shapes
import SignedEnvelopes
import Signing
import Time

/// Whose signed orders and group commands the box takes.
struct PushSettings: SettingsSection {
    static let name = "push"
    static let help = "Whose signed orders and commands the box takes, and its name in them. See config/PUSH.md."
    static let isLocalOnly = true

    var keys: [PushKey] = []
    /// nil if the box is in no group.
    var group: String?
    var pull = PullSettings()

    static let shape = Shape<Self>([
        .setting(
            "keys", \.keys, .list(of: .record, 0...16), .atOnce,
            "Public keys of those who sign orders and group commands; none: nobody does."),
        .setting(
            "group", \.group, .emptyOr(.text(0...64)), .atOnce,
            "Group of boxes that can be addressed; \"\": none. Each of box.tags can be as well."),
        .group("pull", \.pull, "A server that the box asks for its order."),
    ])

    var problems: [Problem] {
        var problems: [Problem] = []
        var ids: Set<String> = []
        for (index, key) in keys.enumerated() {
            if !ids.insert(key.id).inserted {
                problems.append(
                    Problem(
                        path: "/keys/\(index)/id", value: .string(key.id), expectation: "an id that no other key has"))
            }
            if key.verifyingKey == nil {
                problems.append(
                    Problem(
                        path: "/keys/\(index)/publicKey", value: .string(key.publicKey),
                        expectation: "the base64 line that openssl pkey -pubout writes of an Ed25519 key"))
            }
        }
        return problems + pull.problems
    }
}

/// A server that the box asks for its order, and to which it reports (SVM-21).
struct PullSettings: Record, Equatable {
    /// nil if no server is asked.
    var url: String?
    /// nil if the box reports to none.
    var report: String?
    var token: String?
    var waitS = 25
    var authorities: String?
    var pinnedKey: String?

    static let shape = Shape<Self>([
        .setting(
            "url", \.url, .emptyOr(.formatted(.orderServer)), .atOnce,
            "Where the box asks for its order, {box} in it being its id; \"\": nowhere."),
        .setting(
            "report", \.report, .emptyOr(.formatted(.orderServer)), .atOnce,
            "Where the box puts what it has of its order and settings; \"\": nowhere."),
        .setting(
            "token", \.token, .emptyOr(.formatted(.bearerToken)), .atOnce, isSecret: true,
            """
            Sent to these servers as Authorization: Bearer, by https or to a loopback address alone; without it the box shows \
            its reporter the credential that this one gave it.
            """),
        .setting(
            "waitS", \.waitS, .integer(5...300), .atOnce,
            "How long a server may let the box wait for an order; one that does not wait is asked this often."),
        .setting(
            "authorities", \.authorities, .emptyOr(.formatted(.certificates)), .atOnce,
            "Certificates in PEM of the authorities that vouch for these servers; \"\": the system's."),
        .setting(
            "pinnedKey", \.pinnedKey, .emptyOr(.formatted(.keyDigest)), .atOnce,
            "The one key that these servers may have: sha256// and the digest in base64; \"\": any that is vouched for."
        ),
    ])

    var problems: [Problem] {
        guard token != nil else { return [] }
        return [("url", url), ("report", report)].compactMap { name, text in
            guard let text, let server = OrderServerURL(text), !server.isSecure, !server.isNear else { return nil }
            return Problem(
                path: "/pull/\(name)", value: .string(text),
                expectation: "https, since a token is sent there")
        }
    }
}

/// A public key of somebody whom the box trusts, and for what.
struct PushKey: Record {
    var id = ""
    var publicKey = ""
    var targets: [String] = []
    var commands = [OrderKey.orders]
    var expires: String?

    static let shape = Shape<Self>([
        .required("id", \.id, .text(1...64), "What orders call the key (keyid)."),
        .required(
            "publicKey", \.publicKey, .formatted(.publicKey), "The base64 line that openssl pkey -pubout writes."),
        .required(
            "targets", \.targets, .list(of: .formatted(.orderScope), 1...64),
            "What it may address: all (anything), box (this one by its id), group:NAME, tag:NAME."),
        .member(
            "commands", \.commands, .list(of: .formatted(.commandScope), 1...64),
            """
            What it may give: push (orders, which change settings), and names of commands for groups; a * at the end stands \
            for any rest, but not for push.
            """),
        .member(
            "expires", \.expires, .absentOr(.formatted(.instant)),
            "From when on what it signs is refused; absent: never."),
    ])

    /// nil if no key has these octets.
    var verifyingKey: VerifyingKey? { try? VerifyingKey(publicKey) }  // a problem of the section

    /// nil if it is no key.
    var orderKey: OrderKey? {
        verifyingKey.map { key in
            OrderKey(
                id: id, key: key, scopes: Set(targets.compactMap(OrderKey.Scope.init)),
                commands: commands, expires: expires.flatMap { WallTime(rfc3339: $0) })
        }
    }
}

extension OrderKey.Scope {
    /// The scope that settings write so.
    fileprivate init?(_ text: String) {
        switch text {
        case "all": self = .all
        case "box": self = .box
        default:
            guard let colon = text.firstIndex(of: ":") else { return nil }
            let name = String(text[text.index(after: colon)...])
            guard (1...64).contains(name.unicodeScalars.count) else { return nil }
            switch text[..<colon] {
            case "group": self = .group(name)
            case "tag": self = .tag(name)
            default: return nil
            }
        }
    }
}

extension TextFormat {
    /// Its schema cannot say that the octets are a point of the curve; the section's problems do.
    static let publicKey = TextFormat(
        "an Ed25519 key like MCowBQYDK2VwAyEA…=, as openssl pkey -pubout writes it",
        schema: ["pattern": "^MCowBQYDK2VwAyEA[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$"]
    ) { text in text.hasPrefix("MCowBQYDK2VwAyEA") && Base64.decode(text)?.count == 44 }

    static let orderScope = TextFormat(
        "all, box, group:NAME or tag:NAME",
        schema: ["pattern": #"^(all|box|(group|tag):[^\u0000-\u001f\u007f-\u009f]{1,64})$"#]
    ) { text in
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } && OrderKey.Scope(text) != nil
    }

    /// A name of a command, which need not be one of this version.
    static let commandScope = TextFormat(
        "the name of a command, the beginning of such names with a *, or *",
        schema: ["pattern": "^([a-z][a-z0-9-]{0,31}[*]?|[*])$"]
    ) { text in
        let stem = text.hasSuffix("*") ? text.utf8.dropLast() : text.utf8[...]
        guard let first = stem.first else { return text == "*" }
        return stem.count <= 32 && (0x61...0x7a).contains(first)
            && stem.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
    }
}
