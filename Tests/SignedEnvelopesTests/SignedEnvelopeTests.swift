// SPDX-License-Identifier: Apache-2.0
import Bytes
import JSON
import TestSupport
import Testing

@testable import SignedEnvelopes

@Suite struct SignedEnvelopeTests {
    private static let envelope = SignedEnvelope(
        payloadType: SignedOrder.payloadType, payload: Order.sample.octets,
        signatures: [SignedEnvelope.Signature(keyID: "bar-1", octets: [UInt8](repeating: 0xfb, count: 64))])

    /// The example of DSSE's protocol.md.
    @Test func theOctetsOfTheStandard() throws {
        let text = """
            {"payload": "aGVsbG8gd29ybGQ=", "payloadType": "http://example.com/HelloWorld",
             "signatures": [{"keyid": "a", "sig": \
            "A3JqsQGtVsJ2O2xqrI5IcnXip5GToJ3F+FnZ+O88SjtR6rDAajabZKciJTfUiHqJPcIAriEGAHTVeCUjW2JIZA=="}]}
            """
        let envelope = try SignedEnvelope(parsing: Array(text.utf8))
        #expect(
            String(decoding: envelope.signedOctets, as: UTF8.self)
                == "DSSEv1 29 http://example.com/HelloWorld 11 hello world")
        #expect(envelope.signatures.count == 1 && envelope.signatures[0].octets.count == 64)
    }

    @Test func lengthsAreOfOctets() {
        let envelope = SignedEnvelope(payloadType: "é", payload: [])
        #expect(String(decoding: envelope.signedOctets, as: UTF8.self) == "DSSEv1 2 é 0 ")
    }

    @Test func whatIsWrittenIsRead() throws {
        #expect(try SignedEnvelope(parsing: Self.envelope.json.octets()) == Self.envelope)
        #expect(try SignedEnvelope(parsing: Self.envelope.json.octets(pretty: true)) == Self.envelope)
    }

    /// DSSE: "verifiers MUST accept either".
    @Test func theAlphabetForURLsIsReadToo() throws {
        var document = Self.envelope.json
        let usual = try #require(document.at("/signatures/0/sig")?.string)
        #expect(usual.contains("+") || usual.contains("/"))
        let forURLs = String(usual.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
        document["signatures"] = [["keyid": "bar-1", "sig": .string(forURLs)]]
        #expect(try SignedEnvelope(document) == Self.envelope)
        document["signatures"] = [["keyid": "bar-1", "sig": "-/=="]]
        #expect(throws: EnvelopeError.self) { try SignedEnvelope(document) }
    }

    private static let refused: [(patch: JSONValue, message: String)] = [
        (["payload": "aGVsbG8gd29ybGQ"], "/payload: expected base64 with padding"),
        (["payload": 7], "/payload: expected base64 with padding"),
        (["payload": .null], "/payload: expected a JSON value"),
        (["payloadType": ""], #"/payloadType is ""; expected a text of 1...256 characters"#),
        (["signatures": []], "/signatures is an array; expected an array of 1...8 elements"),
        (["signatures": [7]], "/signatures/0 is 7; expected an object"),
        (["signatures": [["sig": "AA=="]]], "/signatures/0/keyid: expected a text of 1...64 characters"),
        (["signatures": [["keyid": "a", "sig": "A"]]], "/signatures/0/sig: expected base64 with padding"),
        (["more": 1], "/more is no field; expected one of payload, payloadType, signatures"),
    ]

    @Test(arguments: refused.indices) func wrongOnesAreNamed(index: Int) {
        let (patch, message) = Self.refused[index]
        do {
            _ = try SignedEnvelope(parsing: Self.envelope.json.merging(patch: patch).octets())
            Issue.record("\(patch) is taken")
        } catch {
            #expect("\(error)" == message)
        }
    }

    @Test func limits() throws {
        let signature: JSONValue = ["keyid": "a", "sig": "AA=="]
        var document = Self.envelope.json
        document["signatures"] = .array(Array(repeating: signature, count: 8))
        #expect(try SignedEnvelope(document).signatures.count == 8)
        document["signatures"] = .array(Array(repeating: signature, count: 9))
        #expect(throws: EnvelopeError.self) { try SignedEnvelope(document) }

        let text = Self.envelope.json.octets()
        let padding = [UInt8](repeating: 0x20, count: SignedEnvelope.mostOctets - text.count)
        #expect(try SignedEnvelope(parsing: text + padding) == Self.envelope)
        #expect(throws: EnvelopeError.tooLong(octets: SignedEnvelope.mostOctets + 1, limit: SignedEnvelope.mostOctets))
        {
            try SignedEnvelope(parsing: text + padding + [0x20])
        }
        // The largest order fits into an envelope.
        let largest = [UInt8](repeating: 0x20, count: SignedOrder.mostOctets)
        let whole = SignedEnvelope(
            payloadType: SignedOrder.payloadType, payload: largest, signatures: Self.envelope.signatures)
        #expect(try SignedEnvelope(parsing: whole.json.octets()) == whole)
        let twice = #"{"payload":"","payload":"","payloadType":"a","signatures":[]}"#
        #expect(throws: EnvelopeError.self) { try SignedEnvelope(parsing: Array(twice.utf8)) }
    }

    @Test func everyCutIsRefused() {
        let text = Self.envelope.json.octets()
        for count in text.indices {
            #expect(throws: EnvelopeError.self, "\(count) octets") {
                try SignedEnvelope(parsing: Array(text[..<count]))
            }
        }
    }

    /// A damaged envelope is refused, or signs other octets or has another signature, or says the same.
    @Test func damageTrapsNothing() {
        var mutation = Mutation(seed: 21)
        let text = Self.envelope.json.octets()
        var refused = 0
        for _ in 0..<Mutation.count() {
            do {
                let envelope = try SignedEnvelope(parsing: mutation.damage(text))
                #expect((1...8).contains(envelope.signatures.count))
            } catch {
                refused += 1
                #expect(!"\(error)".isEmpty)
            }
        }
        #expect(refused > 0)
    }
}
