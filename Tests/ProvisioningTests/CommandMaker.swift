// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Shapes
import Signing
import Time

@testable import Provisioning
@testable import SignedEnvelopes

/// Signs group commands, and is the box that gets them.
struct CommandMaker {
    static let catalogue: Catalogue = {
        var document = FieldDescription("settings", .anything, .required, "A document.")
        document.place = .document
        let channel = FieldDescription("channel", .text(1...64), .required, "Which.")
        let follow = FieldDescription("follow", .boolean, .optional, "Go on.")
        return Catalogue([
            CommandDescription("tune", "Tune", role: .operator, fields: [channel]),
            CommandDescription("stop", "Stop", role: .operator), CommandDescription("status", "Show"),
            CommandDescription("watch", "Watch", role: .operator, fields: [follow], streamArgument: "follow"),
            CommandDescription("check", "Check", role: .operator, fields: [document]),
            CommandDescription("shutdown", "End", role: .administrator),
        ])
    }()

    let signing: SigningKey
    var clock = OrderClock(now: OrderMaker.now, isSet: true, built: OrderMaker.built)
    var now = Monotonic(nanoseconds: 0)
    var admission: GroupCommandAdmission

    init(
        scopes: Set<OrderKey.Scope> = [.all], commands: [String] = ["*"], expires: WallTime? = nil,
        memory: SequenceMemory = SequenceMemory()
    ) throws {
        signing = try SigningKey(seed: [UInt8](repeating: 7, count: 32))
        let key = OrderKey(
            id: "bar-1", key: signing.verifyingKey, scopes: scopes, commands: commands, expires: expires)
        let recipient = OrderRecipient(box: "box-1", group: "bar", tags: ["vip", "north"])
        admission = GroupCommandAdmission(
            keys: [key], recipient: recipient, memory: memory, catalogue: Self.catalogue)
    }

    static func command(_ sequence: Int64 = 1, _ patch: JSONValue = [:]) throws -> SignedCommand {
        let command: JSONValue = [
            "groupCommand": 1, "target": ["all": true], "sequence": .integer(sequence),
            "sent": .string(OrderMaker.now.description), "expires": "2026-11-21T12:00:10Z", "command": "tune",
            "arguments": ["channel": "Arena"],
        ]
        return try SignedCommand(payload: command.merging(patch: patch).octets())
    }

    func envelope(_ payload: [UInt8], keyID: String = "bar-1", by other: SigningKey? = nil) -> SignedEnvelope {
        let unsigned = SignedEnvelope(payloadType: SignedCommand.payloadType, payload: payload)
        let octets = (other ?? signing).signature(of: unsigned.signedOctets)
        return SignedEnvelope(
            payloadType: unsigned.payloadType, payload: unsigned.payload,
            signatures: [SignedEnvelope.Signature(keyID: keyID, octets: octets)])
    }

    func octets(_ command: SignedCommand, keyID: String = "bar-1", by other: SigningKey? = nil) -> [UInt8] {
        envelope(command.octets, keyID: keyID, by: other).json.octets()
    }

    /// What the box says to a command.
    /// - Returns: nil if it takes it, or has it already.
    mutating func refusal(of command: SignedCommand) -> CommandRefusal? { refusal(of: octets(command)) }

    mutating func refusal(of octets: [UInt8], from source: String = "10.0.0.1") -> CommandRefusal? {
        do throws(CommandRefusal) {
            _ = try admission.admit(octets, from: source, at: clock, now)
            return nil
        } catch {
            return error
        }
    }
}
