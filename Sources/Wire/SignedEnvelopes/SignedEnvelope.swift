// SPDX-License-Identifier: Apache-2.0
import Bytes
import JSON
import Shapes

/// A payload with its signatures: the JSON envelope of DSSE, the Dead Simple Signing Envelope, version 1
/// (github.com/secure-systems-lab/dsse).
///
///     {"payload": base64, "payloadType": text, "signatures": [{"keyid": text, "sig": base64}, …]}
///
/// It knows no algorithm: it says which octets are signed, and others check the signatures.
public struct SignedEnvelope: Equatable, Sendable {
    /// The longest text of an envelope, in octets.
    public static let mostOctets = 400 << 10
    public static let mostSignatures = 8

    public struct Signature: Equatable, Sendable {
        /// Which key signed. Nothing protects it: it only says which key to try.
        public let keyID: String
        public let octets: [UInt8]

        public init(keyID: String, octets: [UInt8]) {
            self.keyID = keyID
            self.octets = octets
        }
    }

    public let payloadType: String
    /// What is signed, octet by octet as the signer wrote it.
    public let payload: [UInt8]
    public let signatures: [Signature]

    public init(payloadType: String, payload: [UInt8], signatures: [Signature] = []) {
        self.payloadType = payloadType
        self.payload = payload
        self.signatures = signatures
    }

    /// The octets that a signature signs, the "pre-authentication encoding" (PAE) of the type and the payload: both with
    /// their lengths, so that no two pairs have the same.
    public var signedOctets: [UInt8] {
        let type = Array(payloadType.utf8)
        return Array("DSSEv1 \(type.count) ".utf8) + type + Array(" \(payload.count) ".utf8) + payload
    }

    public var json: JSONValue {
        [
            "payload": .string(Base64.encode(payload)), "payloadType": .string(payloadType),
            "signatures": .array(
                signatures.map { ["keyid": .string($0.keyID), "sig": .string(Base64.encode($0.octets))] }),
        ]
    }
}

extension SignedEnvelope {
    private static let limits = JSONLimits(maximumDepth: 3, maximumOctets: mostOctets, maximumValues: 64)

    /// `keyid` is optional in DSSE and required here: a box tries the named keys alone.
    private static let kind = ValueKind.record([
        FieldDescription("payload", .anything, .required, "What is signed, as base64."),
        FieldDescription("payloadType", .text(1...256), .required, "What the payload is."),
        FieldDescription(
            "signatures",
            .list(
                of: .record([
                    FieldDescription("keyid", .text(1...64), .required, "Which key signed."),
                    FieldDescription("sig", .text(1...1_024), .required, "The signature, as base64."),
                ]), 1...mostSignatures), .required, "Each signs the same payload."),
    ])

    /// Reads the text of an envelope.
    public init(parsing text: [UInt8]) throws(EnvelopeError) {
        try self.init(EnvelopeError.document(text, within: Self.limits))
    }

    /// Reads an envelope that came as part of another document.
    public init(_ document: JSONValue) throws(EnvelopeError) {
        let problems = Self.kind.problems(of: document)
        guard problems.isEmpty else { throw .invalid(problems) }
        let most = Self.mostOctets
        let text = document["payload"]?.string
        guard text?.utf8.count ?? 0 <= most else { throw .tooLong(octets: text?.utf8.count ?? 0, limit: most) }
        payload = try Self.octets(text, at: "/payload")
        payloadType = document["payloadType"]?.string ?? ""
        var signatures: [Signature] = []
        for (index, each) in (document["signatures"]?.array ?? []).enumerated() {
            let octets = try Self.octets(each["sig"]?.string, at: "/signatures/\(index)/sig")
            signatures.append(Signature(keyID: each["keyid"]?.string ?? "", octets: octets))
        }
        self.signatures = signatures
    }

    /// DSSE has verifiers take the alphabet for URLs as well (RFC 4648 §5). The two are not mixed.
    private static func octets(_ text: String?, at path: String) throws(EnvelopeError) -> [UInt8] {
        let isForURLs = text?.utf8.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") } ?? false
        let isUsual = text?.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") } ?? false
        guard let text, !(isForURLs && isUsual), let octets = Base64.decode(isForURLs ? usual(text) : text) else {
            throw .invalid([Problem(path: path, expectation: "base64 with padding")])
        }
        return octets
    }

    private static func usual(_ text: String) -> String {
        let octets = text.utf8.map { octet in
            octet == UInt8(ascii: "-") ? UInt8(ascii: "+") : octet == UInt8(ascii: "_") ? UInt8(ascii: "/") : octet
        }
        return String(decoding: octets, as: UTF8.self)
    }
}
