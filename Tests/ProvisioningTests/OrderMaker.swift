// SPDX-License-Identifier: Apache-2.0
import JSON
import Signing
import Time

@testable import Provisioning
@testable import SignedEnvelopes

/// Signs orders, and is the box that gets them.
struct OrderMaker {
    static let now = time("2026-11-21T12:00:00Z")
    /// Of any instant between.
    static let built = time("2026-01-01T00:00:00Z")

    static func time(_ text: String) -> WallTime {
        guard let time = WallTime(rfc3339: text) else { preconditionFailure("\(text) is no time") }
        return time
    }

    let signing: SigningKey
    var clock = OrderClock(now: OrderMaker.now, isSet: true, built: OrderMaker.built)
    var admission: OrderAdmission

    init(
        scopes: Set<OrderKey.Scope> = [.all], commands: [String] = [OrderKey.orders], expires: WallTime? = nil,
        memory: OrderMemory = OrderMemory()
    ) throws {
        signing = try SigningKey(seed: [UInt8](repeating: 7, count: 32))
        let key = OrderKey(id: "bar-1", key: signing.verifyingKey, scopes: scopes, commands: commands, expires: expires)
        let recipient = OrderRecipient(box: "box-1", group: "bar", tags: ["vip", "north"])
        admission = OrderAdmission(keys: [key], recipient: recipient, memory: memory)
    }

    static func order(_ revision: Int64 = 1, _ patch: JSONValue = [:]) throws -> SignedOrder {
        let order: JSONValue = [
            "order": 1, "target": ["all": true], "revision": .integer(revision), "expires": "2026-12-01T00:00:00Z",
            "settings": ["merge": ["sound": ["volume": 60]]],
        ]
        return try SignedOrder(payload: order.merging(patch: patch).octets())
    }

    func envelope(_ order: SignedOrder, keyID: String = "bar-1", by other: SigningKey? = nil) -> SignedEnvelope {
        let unsigned = SignedEnvelope(payloadType: SignedOrder.payloadType, payload: order.octets)
        let octets = (other ?? signing).signature(of: unsigned.signedOctets)
        return SignedEnvelope(
            payloadType: unsigned.payloadType, payload: unsigned.payload,
            signatures: [SignedEnvelope.Signature(keyID: keyID, octets: octets)])
    }

    /// What the box says to an order.
    /// - Returns: nil if it takes it.
    mutating func refusal(of order: SignedOrder) -> OrderRefusal? { refusal(of: envelope(order)) }

    mutating func refusal(of envelope: SignedEnvelope) -> OrderRefusal? {
        do throws(OrderRefusal) {
            _ = try admission.admit(envelope.json.octets(), at: clock)
            return nil
        } catch {
            return error
        }
    }
}
