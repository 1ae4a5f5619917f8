// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Shapes
import SignedEnvelopes
import Signing
import System
import Time
import Venue

/// The commands that make and check signed orders, without a box.
enum OrderCommands {
    static let all = [sign, verify, push]

    private static let sign = CommandDescription(
        "config-sign", "Make a signed order of a document of settings",
        help: """
            touchline config sign --key bar.pem --key-id bar-1 --group bar --revision 42 --expires 2026-12-01T00:00:00Z \
            patch.json > order.json. Prints the envelope. The document is merged into the settings of the boxes, or with \
            --replace takes their place. config/PUSH.md says how keys are made.
            """,
        fields: [
            document("settings", "The settings, as for config merge."),
            .option("key", .formatted(.file), "File of the private key, as openssl genpkey writes it; required."),
            .option("keyId", .text(1...64), "What push.keys of the boxes calls the key; required."),
            .option("revision", .integer(SignedOrder.revisions), "Above that of every order before; required."),
            .option("expires", .formatted(.instant), "When the order no longer counts; required."),
        ] + targets + [
            .option("replace", .boolean, "Replace all settings by the document."),
            .option("base", .integer(SignedOrder.revisions), "Only where the order of this revision is in force."),
            .option("notBefore", .formatted(.instant), "When the order begins to count; absent: at once."),
            .option(
                "confirmWithin", .integer(SignedOrder.confirmations),
                "Seconds within which somebody has to confirm; absent: nobody has to."),
            .option("comment", .text(0...256), "For people."),
        ], isLocal: true)

    private static let verify = CommandDescription(
        "config-verify", "Check who signed an order, and print it",
        help: "touchline config verify --public bar.pub order.json. Fails if no signature is of the key.",
        fields: [
            document("envelope", "The signed order."),
            .option(
                "public", .formatted(.file), "File of the public key, as openssl pkey -pubout writes it; required."),
        ], isLocal: true)

    private static let push = CommandDescription(
        "config-push", "Give the box a signed order, which changes settings",
        help: "The same as touchline push, beside the other commands of settings.",
        fields: [document("envelope", "The signed order.")], isLocal: true)

    /// Whom what is signed is for.
    static let targets: [FieldDescription] = [
        .option("all", .boolean, "For all boxes; either this, --box, --group or --tag."),
        .option("box", .text(1...64), "For the box with this id."),
        .option("group", .text(1...64), "For the boxes of this group."),
        .option("tag", .text(1...64), "For the boxes with this tag."),
    ]

    private static func document(_ name: String, _ help: String) -> FieldDescription {
        var field = FieldDescription(name, .anything, .required, help)
        field.place = .document
        return field
    }

    /// The envelope that `config-sign` prints.
    static func signed(_ request: CommandRequest) throws(Status) -> JSONValue {
        let key = try privateKey(required("key", request, "the file of a private key"))
        let keyID = try required("keyId", request, "what push.keys of the boxes calls the key")
        guard let revision = request.integer("revision") else {
            throw missing("revision", "a number above that of every order before")
        }
        let expires = try required("expires", request, "a time like 2026-11-21T01:02:03Z")
        let settings = request.arguments["settings"] ?? .null
        var document: JSONValue = [
            "order": 1, "target": try target(request), "revision": .integer(revision), "expires": .string(expires),
            "settings": request.isSet("replace") ? ["replace": settings] : ["merge": settings],
        ]
        document["base"] = request.arguments["base"]
        document["notBefore"] = request.arguments["notBefore"]
        document["confirmWithinS"] = request.arguments["confirmWithin"]
        document["comment"] = request.arguments["comment"]
        let payload = document.octets()
        do throws(EnvelopeError) {
            _ = try SignedOrder(payload: payload)
        } catch {
            throw .failure(.usage, "the order would be refused: \(error)")
        }
        return envelope(of: payload, SignedOrder.payloadType, by: key, keyID)
    }

    static func envelope(of payload: [UInt8], _ type: String, by key: SigningKey, _ keyID: String) -> JSONValue {
        let unsigned = SignedEnvelope(payloadType: type, payload: payload)
        let signature = SignedEnvelope.Signature(keyID: keyID, octets: key.signature(of: unsigned.signedOctets))
        return SignedEnvelope(payloadType: type, payload: payload, signatures: [signature]).json
    }

    /// The order in an envelope that `config-verify` finds right.
    static func verified(_ request: CommandRequest) throws(Status) -> JSONValue {
        let path = try required("public", request, "the file of a public key")
        let key: VerifyingKey
        do {
            key = try VerifyingKey(text(of: path))
        } catch {
            throw .failure(.usage, "\(path): \(error)")
        }
        do {
            let envelope = try SignedEnvelope(request.arguments["envelope"] ?? .null)
            let octets = envelope.signedOctets
            guard envelope.signatures.contains(where: { key.isSignature($0.octets, of: octets) }) else {
                throw Status.failure(.failed, "no signature of the envelope is of the key in \(path)")
            }
            guard envelope.payloadType == SignedOrder.payloadType else {
                throw EnvelopeError.otherType(envelope.payloadType)
            }
            return try SignedOrder(payload: envelope.payload).json
        } catch let status as Status {
            throw status
        } catch {
            throw .failure(.failed, "no order: \(error)")
        }
    }

    static func target(_ request: CommandRequest) throws(Status) -> JSONValue {
        var target: [String: JSONValue] = [:]
        for name in ["box", "group", "tag"] { target[name] = request.arguments[name] }
        if request.isSet("all") { target["all"] = true }
        guard target.count == 1 else {
            throw .failure(.usage, "there is one target; expected one of --all, --box, --group and --tag")
        }
        return .object(target)
    }

    static func required(
        _ name: String, _ request: CommandRequest, _ expectation: String
    ) throws(Status) -> String {
        guard let text = request.text(name) else { throw missing(name, expectation) }
        return text
    }

    static func missing(_ name: String, _ expectation: String) -> Status {
        let option = FieldDescription.option(name, .anything, "").optionWord
        return .failure(.usage, "\(option) is missing; expected \(expectation)")
    }

    static func privateKey(_ path: String) throws(Status) -> SigningKey {
        do {
            return try SigningKey(pem: text(of: path))
        } catch {
            throw .failure(.usage, "\(path): \(error)")
        }
    }

    private static func text(of path: String) throws -> String {
        guard let octets = try DurableFile.read(path, limit: 64 << 10) else {
            throw Status.failure(.failed, "there is no such file")
        }
        return String(decoding: octets, as: UTF8.self)
    }
}
