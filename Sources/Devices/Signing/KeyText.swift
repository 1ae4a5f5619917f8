// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The text form of keys: PEM (RFC 7468) around DER. Of Ed25519 keys (RFC 8410) the DER is always the same but for the last
/// 32 octets, so that no general reader of ASN.1 is needed.
enum KeyText {
    /// The longest text that is read, in octets. A key has about 120.
    private static let longest = 4_096

    /// Octets of the seed of a private key, and of a public key.
    static let keyOctets = 32

    /// `SEQUENCE { INTEGER 0, SEQUENCE { OID 1.3.101.112 }, OCTET STRING { OCTET STRING (32) } }` (PKCS#8).
    static let privatePrefix: [UInt8] = [
        0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]
    /// `SEQUENCE { SEQUENCE { OID 1.3.101.112 }, BIT STRING (32 octets) }` (SubjectPublicKeyInfo).
    static let publicPrefix: [UInt8] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]

    /// The last octets of a key's DER.
    static func key(in der: [UInt8], after prefix: [UInt8]) throws(KeyError) -> [UInt8] {
        guard der.count == prefix.count + keyOctets, der.starts(with: prefix) else {
            throw .notEd25519(octets: der.count)
        }
        return Array(der.dropFirst(prefix.count))
    }

    /// The octets of the first block with this label. What stands before and behind the block is passed over.
    static func block(_ label: String, in text: String) throws(KeyError) -> [UInt8] {
        guard text.utf8.count <= longest else { throw .noBlock(label) }
        let lines = text.split(whereSeparator: \.isNewline).map { $0.filter { $0 != " " && $0 != "\t" } }
        let marks = ["-----BEGIN\(label)-----", "-----END\(label)-----"].map { $0.filter { $0 != " " } }
        guard let begin = lines.firstIndex(of: marks[0]), let end = lines[begin...].firstIndex(of: marks[1]) else {
            throw .noBlock(label)
        }
        return try octets(of: lines[(begin + 1)..<end].joined())
    }

    static func octets(of base64: String) throws(KeyError) -> [UInt8] {
        guard base64.utf8.count <= longest, let octets = Base64.decode(base64) else { throw .notBase64 }
        return octets
    }
}
