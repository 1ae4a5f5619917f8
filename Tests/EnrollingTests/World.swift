// SPDX-License-Identifier: Apache-2.0
import Reports
import SignedEnvelopes
import Signing
import TestSupport
import Time

@testable import Enrolling

/// A reporter's enrolments, and boxes that ask.
struct World {
    var enrolments = Enrolments()
    var now = WallTime(nanoseconds: 1_800_000_000_000_000_000)
    private var random = SplitMix64(seed: 22)

    mutating func chance() -> [UInt8] {
        (0..<SecretText.tokenOctets).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    mutating func pass(_ seconds: Int64) { now = WallTime(nanoseconds: now.nanoseconds + seconds * 1_000_000_000) }

    static func key(_ number: UInt8) throws -> SigningKey {
        try SigningKey(seed: [UInt8](repeating: number, count: 32))
    }

    static func request(_ box: String, _ key: UInt8, token: String? = nil) throws -> EnrolmentRequest {
        var request = EnrolmentRequest()
        (request.box, request.name, request.version, request.nonce) = (box, "Bar", "1.0", "n")
        request.publicKey = try Self.key(key).verifyingKey.base64
        request.token = token
        return request
    }

    static func envelope(_ request: EnrolmentRequest, signedBy key: UInt8) throws -> SignedEnvelope {
        let plain = SignedEnvelope(payloadType: EnrolmentRequest.payloadType, payload: request.octets)
        let signature = try Self.key(key).signature(of: plain.signedOctets)
        return SignedEnvelope(
            payloadType: plain.payloadType, payload: plain.payload,
            signatures: [.init(keyID: "box", octets: signature)])
    }

    mutating func enrol(_ box: String, _ key: UInt8, token: String? = nil) throws -> Enrolments.Outcome {
        let chance = chance()
        return enrolments.enrol(try Self.request(box, key, token: token), chance: chance, at: now)
    }

    /// - Returns: the credential.
    mutating func issue(_ box: String, _ key: UInt8, token: String? = nil) throws -> String {
        guard case .issued(let text) = try enrol(box, key, token: token) else { throw Unexpected() }
        return text
    }

    /// - Returns: why it waits.
    mutating func pend(_ box: String, _ key: UInt8, token: String? = nil) throws -> String {
        guard case .pending(let each, _) = try enrol(box, key, token: token) else { throw Unexpected() }
        return each.why
    }

    mutating func token(_ name: String = "t", uses: Int64 = 1, seconds: Int64 = 3_600) throws -> String {
        let chance = chance()
        return try enrolments.makeToken(
            name, uses: uses, expires: WallTime(nanoseconds: now.nanoseconds + seconds * 1_000_000_000),
            boxName: "Gate", tags: ["east"], by: "anna", chance: chance, at: now)
    }

    mutating func approve(_ box: String, _ key: UInt8) throws {
        let id = PendingBox.id(box: box, publicKey: try Self.key(key).verifyingKey.base64)
        _ = try enrolments.approve(id, name: nil, tags: nil, by: "anna", at: now)
    }

    /// Whether it is refused. Nothing is changed.
    func refuses(_ body: (inout Enrolments) throws -> Void) -> Bool {
        var copy = enrolments
        do {
            try body(&copy)
            return false
        } catch {
            return error is Enrolments.Refusal
        }
    }

    struct Unexpected: Error {}
}
