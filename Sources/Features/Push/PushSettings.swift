// SPDX-License-Identifier: Apache-2.0
import Bytes
import Hosting
import JSON
import Provisioning
import Shapes
import SignedEnvelopes
import Signing
import Time

/// Whose signed orders the box takes.
struct PushSettings: SettingsSection {
    static let name = "push"
    static let help = "Settings by signed orders: whose, and what the box is called in them. See config/PUSH.md."
    static let isLocalOnly = true

    var keys: [PushKey] = []
    /// nil if the box is in no group.
    var group: String?

    static let shape = Shape<Self>([
        .setting(
            "keys", \.keys, .list(of: .record, 0...16), .atOnce,
            "Public keys whose orders the box takes; none: it takes no orders."),
        .setting(
            "group", \.group, .emptyOr(.text(0...64)), .atOnce,
            "Group of boxes that orders can address; \"\": none. They can address each of box.tags as well."),
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
        return problems
    }
}

/// A public key whose orders a box takes.
struct PushKey: Record {
    var id = ""
    var publicKey = ""
    var targets: [String] = []
    var expires: String?

    static let shape = Shape<Self>([
        .required("id", \.id, .text(1...64), "What orders call the key (keyid)."),
        .required(
            "publicKey", \.publicKey, .formatted(.publicKey), "The base64 line that openssl pkey -pubout writes."),
        .required(
            "targets", \.targets, .list(of: .formatted(.orderScope), 1...64),
            "What its orders may address: all (anything), box (this one by its id), group:NAME, tag:NAME."),
        .member(
            "expires", \.expires, .absentOr(.formatted(.instant)),
            "From when on its orders are refused; absent: never."),
    ])

    /// nil if no key has these octets.
    var verifyingKey: VerifyingKey? { try? VerifyingKey(publicKey) }  // a problem of the section

    /// nil if it is no key.
    var orderKey: OrderKey? {
        verifyingKey.map { key in
            OrderKey(
                id: id, key: key, scopes: Set(targets.compactMap(OrderKey.Scope.init)),
                expires: expires.flatMap { WallTime(rfc3339: $0) })
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
}
