// SPDX-License-Identifier: Apache-2.0
import JSON
import SignedEnvelopes
import Time

/// Decides whether an order is taken: who signed it, for whom, when, and whether it was had before. It reads no clock and
/// writes no file.
public struct OrderAdmission: Sendable {
    /// How far a revision may be above the highest one. A mistaken or malicious order near the last revision that there is
    /// would otherwise lock all later ones out.
    public static let widestJump: Int64 = 1 << 32

    /// An order that is taken, and the key that signed it.
    public struct Admitted: Equatable, Sendable {
        public let order: SignedOrder
        public let key: String
    }

    public var keys: [OrderKey]
    public var recipient: OrderRecipient
    public var memory: OrderMemory

    public init(keys: [OrderKey], recipient: OrderRecipient, memory: OrderMemory) {
        self.keys = keys
        self.recipient = recipient
        self.memory = memory
    }

    /// Reads the text of an envelope and judges it.
    public mutating func admit(_ text: [UInt8], at clock: OrderClock) throws(OrderRefusal) -> Admitted {
        try admit(envelope: Self.reading { () throws(EnvelopeError) in try SignedEnvelope(parsing: text) }, at: clock)
    }

    /// Reads an envelope that came as part of another document and judges it.
    public mutating func admit(_ document: JSONValue, at clock: OrderClock) throws(OrderRefusal) -> Admitted {
        try admit(envelope: Self.reading { () throws(EnvelopeError) in try SignedEnvelope(document) }, at: clock)
    }

    /// The memory has the revision of a genuine order afterwards, also if a later check refuses it; it has to be on the disk
    /// before the order is applied.
    private mutating func admit(
        envelope: SignedEnvelope, at clock: OrderClock
    ) throws(OrderRefusal) -> Admitted {
        guard envelope.payloadType == SignedOrder.payloadType else {
            throw .malformed(.otherType(envelope.payloadType))
        }
        let genuine = try signers(of: envelope)
        let order = try Self.reading { () throws(EnvelopeError) in try SignedOrder(payload: envelope.payload) }
        let now = clock.judging(saved: memory.savedTime)
        let key = try signer(among: genuine, of: order, at: now)
        guard recipient.isMeant(by: order.target) else { throw .otherTarget(order.target) }
        if let notBefore = order.notBefore, now < notBefore { throw .early(notBefore: notBefore, judged: now) }
        guard now < order.expires else { throw .expired(order.expires, judged: now) }
        try remember(order.revision)
        if let base = order.base, base != memory.applied { throw .otherBase(base, applied: memory.applied) }
        return Admitted(order: order, key: key.id)
    }

    /// The keys of this box whose signatures are right.
    private func signers(of envelope: SignedEnvelope) throws(OrderRefusal) -> [OrderKey] {
        var known: [(key: OrderKey, signature: [UInt8])] = []
        for signature in envelope.signatures {
            for key in keys where key.id == signature.keyID { known.append((key, signature.octets)) }
        }
        guard let first = known.first else { throw .unknownKey(envelope.signatures.map(\.keyID)) }
        let octets = envelope.signedOctets
        let genuine = known.filter { $0.key.key.isSignature($0.signature, of: octets) }.map(\.key)
        guard !genuine.isEmpty else { throw .wrongSignature(key: first.key.id) }
        return genuine
    }

    /// The first of these keys that counts still and may give orders to the target of this one.
    private func signer(
        among genuine: [OrderKey], of order: SignedOrder, at now: WallTime
    ) throws(OrderRefusal) -> OrderKey {
        var refusal: OrderRefusal?
        for key in genuine {
            if let expires = key.expires, now >= expires {
                refusal = refusal ?? .keyExpired(key: key.id, expires)
            } else if !key.mayAddress(order.target) {
                refusal = refusal ?? .keyWithoutTarget(key: key.id, order.target)
            } else if !key.mayGive(OrderKey.orders) {
                refusal = refusal ?? .keyWithoutCommand(key: key.id, OrderKey.orders)
            } else {
                return key
            }
        }
        guard let refusal else { preconditionFailure("a genuine order has a signer") }
        throw refusal
    }

    private mutating func remember(_ revision: Int64) throws(OrderRefusal) {
        guard revision > memory.highest else { throw .replayed(revision: revision, highest: memory.highest) }
        // Neither is below 0, so that the difference is no overflow.
        guard revision - memory.highest <= Self.widestJump else {
            throw .jump(revision: revision, highest: memory.highest)
        }
        memory.highest = revision
    }

    private static func reading<Value>(
        _ read: () throws(EnvelopeError) -> Value
    ) throws(OrderRefusal) -> Value {
        do throws(EnvelopeError) {
            return try read()
        } catch {
            if case .tooLong = error { throw .tooLong(error) }
            throw .malformed(error)
        }
    }
}
