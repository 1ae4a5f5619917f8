// SPDX-License-Identifier: Apache-2.0
import Bytes
import Foundation
import TestSupport
import Testing

@testable import Signing

@Suite struct SigningKeyTests {
    /// RFC 8032 §7.1, tests 1 to 3: seed, public key, message, signature.
    private static let vectors: [[String]] = [
        [
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe"
                + "24655141438e7a100b",
        ],
        [
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302a"
                + "eeb00d291612bb0c00",
        ],
        [
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed2"
                + "8dc027beceea1ec40a",
        ],
    ]

    private static func octets(_ text: String) -> [UInt8] {
        stride(from: 0, to: text.count, by: 2).compactMap { place in
            UInt8(text.dropFirst(place).prefix(2), radix: 16)
        }
    }

    @Test(arguments: vectors) func signsAsTheStandardSays(vector: [String]) throws {
        let parts = vector.map(Self.octets)
        let key = try SigningKey(seed: parts[0])
        #expect(try key.verifyingKey == VerifyingKey(octets: parts[1]))
        #expect(key.signature(of: parts[2]) == parts[3])
        #expect(key.verifyingKey.isSignature(parts[3], of: parts[2]))
    }

    @Test func itsTextIsReadAgain() throws {
        let key = try SigningKey(seed: (0..<32).map { UInt8($0) })
        #expect(try SigningKey(pem: key.pem).verifyingKey == key.verifyingKey)
    }

    @Test func everyChangedBitIsNoticed() throws {
        let key = try SigningKey(seed: Self.octets(Self.vectors[2][0]))
        let message = Array("pictures and sound".utf8)
        let signature = key.signature(of: message)
        for index in message.indices {
            for bit in 0..<8 {
                var changed = message
                changed[index] ^= 1 << UInt8(bit)
                #expect(!key.verifyingKey.isSignature(signature, of: changed))
            }
        }
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1
            #expect(!key.verifyingKey.isSignature(changed, of: message), "octet \(index)")
        }
        #expect(!key.verifyingKey.isSignature([], of: message))
        #expect(!key.verifyingKey.isSignature(signature + [0], of: message))
        #expect(!key.verifyingKey.isSignature(Array(signature.dropLast()), of: message))
    }

    @Test func textsThatAreNoKeys() throws {
        let pair = Self.vectors[0].map(Self.octets)
        let good = Base64.encode(KeyText.privatePrefix + pair[0])
        func pem(_ label: String, _ base64: String) -> String {
            "-----BEGIN \(label)-----\n\(base64)\n-----END \(label)-----\n"
        }
        _ = try SigningKey(pem: "of the bar\r\n" + pem("PRIVATE KEY", good))
        let refused: [(String, KeyError)] = [
            ("", .noBlock("PRIVATE KEY")), (good, .noBlock("PRIVATE KEY")),
            (pem("PUBLIC KEY", good), .noBlock("PRIVATE KEY")),
            (pem("PRIVATE KEY", good + "*"), .notBase64),
            (pem("PRIVATE KEY", Base64.encode(KeyText.privatePrefix + pair[0] + [0])), .notEd25519(octets: 49)),
            (pem("PRIVATE KEY", Base64.encode(KeyText.publicPrefix + pair[1])), .notEd25519(octets: 44)),
            (pem("PRIVATE KEY", ""), .notEd25519(octets: 0)),
            (String(repeating: "x", count: 5_000), .noBlock("PRIVATE KEY")),
        ]
        for (text, error) in refused {
            #expect(throws: error, "\(text.prefix(60))") { try SigningKey(pem: text) }
        }
        let line = Base64.encode(KeyText.publicPrefix + pair[1])
        #expect(try VerifyingKey(line) == VerifyingKey(pem("PUBLIC KEY", line)))
        #expect(try VerifyingKey(line).base64 == line)
        #expect(throws: KeyError.notBase64) { try VerifyingKey(String(line.dropLast())) }
        #expect(throws: KeyError.notEd25519(octets: 0)) { try VerifyingKey("") }
        #expect(throws: KeyError.noPoint) {
            try VerifyingKey(octets: [1] + [UInt8](repeating: 0, count: 31))  // of small order: anybody signs for it
        }
        #expect(throws: KeyError.noPoint) { try VerifyingKey(octets: [UInt8](repeating: 0xff, count: 32)) }
    }

    /// Each cut and each mutation of a key is a key or an error.
    @Test func damagedTextsTrapNothing() throws {
        let pair = Self.vectors[1].map(Self.octets)
        let text = """
            -----BEGIN PRIVATE KEY-----
            \(Base64.encode(KeyText.privatePrefix + pair[0]))
            -----END PRIVATE KEY-----

            """
        for end in text.indices where text.distance(from: end, to: text.endIndex) > 1 {
            #expect(throws: KeyError.self) { try SigningKey(pem: String(text[..<end])) }
        }
        var mutation = Mutation(seed: 8_032)
        for _ in 0..<Mutation.count() {
            let damaged = String(decoding: mutation.damage(Array(text.utf8)), as: UTF8.self)
            _ = try? SigningKey(pem: damaged)  // refusing is an answer; only a trap is not
            _ = try? VerifyingKey(damaged)
        }
    }
}
