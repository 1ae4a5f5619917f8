// SPDX-License-Identifier: Apache-2.0
import Bytes
import JSON
import Signing
import TestSupport
import Testing
import Time

@testable import SignedEnvelopes

@Suite struct SignedCommandTests {
    private static func time(_ text: String) -> WallTime { WallTime(rfc3339: text) ?? WallTime(nanoseconds: 0) }

    private static let sample = SignedCommand(
        target: .group("bar"), sequence: 1_795_262_400, sent: time("2026-11-21T12:00:00.250Z"),
        actAt: time("2026-11-21T12:00:01Z"), expires: time("2026-11-21T12:00:10.250Z"), command: "tune",
        arguments: ["channel": "Aréna"])

    private static func document(_ patch: JSONValue) -> JSONValue { sample.json.merging(patch: patch) }

    @Test func whatIsWrittenIsRead() throws {
        #expect(try SignedCommand(payload: Self.sample.octets) == Self.sample)
        for target in [OrderTarget.all, .box("a"), .group("b"), .tag("c")] {
            let command = SignedCommand(
                target: target, sequence: 1 << 53, sent: Self.sample.sent, expires: Self.sample.expires, command: "stop"
            )
            #expect(try SignedCommand(payload: command.octets) == command)
        }
    }

    /// Signed by openssl with the key whose seed is 32 octets of 7, in a spelling of JSON that is not ours:
    /// `openssl pkeyutl -sign -rawin` over the octets that DSSE names.
    private static let bySSL = """
        {"payload": "eyAiZ3JvdXBDb21tYW5kIjoxLCAidGFyZ2V0Ijp7Imdyb3VwIjoiYmFyIn0sICJzZXF1ZW5jZSI6MTc5NTI2MjQwMCwKICAic2Vu\
        dCI6IjIwMjYtMTEtMjFUMTI6MDA6MDAuMjUwWiIsICJhdCI6IjIwMjYtMTEtMjFUMTI6MDA6MDErMDA6MDAiLCAiZXhwaXJlcyI6IjIwMjYtMTEtMj\
        FUMTI6MDA6MTAuMjVaIiwKICAiY29tbWFuZCI6InR1bmUiLCAiYXJndW1lbnRzIjp7ImNoYW5uZWwiOiJBcsOpbmEifSB9",
        "payloadType": "application/vnd.touchline.group-command+json", "signatures": [{"keyid": "bar-1",
        "sig": "jKNeQ1xa8aPSjSi43PYTFB2qpW1TrFjtD48XFI5QKgPIrVMAyP5hO0CBKTo0FZwi/z+iydhTPG6kCvVtFnAhAw=="}]}
        """

    @Test func theVectorOfOpenSSL() throws {
        let key = try SigningKey(seed: [UInt8](repeating: 7, count: 32)).verifyingKey
        #expect(key.base64 == "MCowBQYDK2VwAyEA6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw=")
        #expect(key.fingerprint == "324be2dea8bc44461b0233e51fa48902ed6b1cc671e7739af2551e0bfe68f54e")
        let envelope = try SignedEnvelope(parsing: Array(Self.bySSL.utf8))
        #expect(envelope.payloadType == SignedCommand.payloadType)
        #expect(try SignedCommand(payload: envelope.payload) == Self.sample)
        #expect(key.isSignature(envelope.signatures[0].octets, of: envelope.signedOctets))
        #expect(Self.bySSL.utf8.count <= SignedCommand.mostEnvelopeOctets)
        // The same payload as an order signs other octets.
        let asOrder = SignedEnvelope(payloadType: SignedOrder.payloadType, payload: envelope.payload)
        #expect(!key.isSignature(envelope.signatures[0].octets, of: asOrder.signedOctets))
    }

    private static let refused: [(patch: JSONValue, message: String)] = [
        (["groupCommand": 2], "/groupCommand is 2; expected an integer, 1...1"),
        (["groupCommand": .null], "/groupCommand: expected an integer, 1...1"),
        (["sequence": 0], "/sequence is 0; expected an integer, 1...9007199254740992"),
        (
            ["sequence": .integer((1 << 53) + 1)],
            "/sequence is 9007199254740993; expected an integer, 1...9007199254740992"
        ),
        (["sent": .null], "/sent: expected a time like 2026-11-21T01:02:03Z"),
        (["expires": "soon"], #"/expires is "soon"; expected a time like 2026-11-21T01:02:03Z"#),
        (
            ["expires": "2026-11-21T12:00:00.250Z"],
            #"/expires is "2026-11-21T12:00:00.250Z"; expected a time after /sent, by 3600 s at most"#
        ),
        (
            ["expires": "2026-11-21T13:00:00.251Z"],
            #"/expires is "2026-11-21T13:00:00.251Z"; expected a time after /sent, by 3600 s at most"#
        ),
        (
            ["at": "2026-11-21T12:00:00Z"],
            #"/at is "2026-11-21T12:00:00Z"; expected a time from /sent on, by 60 s at most, before /expires"#
        ),
        (
            ["at": "2026-11-21T12:00:10.250Z"],
            #"/at is "2026-11-21T12:00:10.250Z"; expected a time from /sent on, by 60 s at most, before /expires"#
        ),
        (
            ["at": "2026-11-21T12:01:01Z", "expires": "2026-11-21T12:02:00Z"],
            #"/at is "2026-11-21T12:01:01Z"; expected a time from /sent on, by 60 s at most, before /expires"#
        ),
        (["command": ""], #"/command is ""; expected a text of 1...32 characters"#),
        (["arguments": 7], "/arguments is 7; expected an object"),
        (["target": ["tag": "a"]], "/target is an object; expected one of all, box, group and tag"),
        (["target": ["group": .null, "all": false]], "/target/all is false; expected true"),
        (
            ["more": 1],
            "/more is no field; expected one of arguments, at, command, expires, groupCommand, sent, sequence, target"
        ),
    ]

    @Test(arguments: refused.indices) func wrongOnesAreNamed(index: Int) {
        let (patch, message) = Self.refused[index]
        do {
            _ = try SignedCommand(payload: Self.document(patch).octets())
            Issue.record("\(patch) is taken")
        } catch {
            #expect("\(error)" == message)
        }
    }

    @Test func absentAndNullAreTheSame() throws {
        let command = try SignedCommand(Self.document(["at": .null, "arguments": .null]))
        #expect(command.actAt == nil && command.arguments == [:])
    }

    @Test func limits() {
        let text = Self.sample.json.text()
        let padding = String(repeating: " ", count: SignedCommand.mostOctets - text.utf8.count)
        #expect(throws: Never.self) { try SignedCommand(payload: Array((text + padding).utf8)) }
        #expect(throws: EnvelopeError.tooLong(octets: SignedCommand.mostOctets + 1, limit: SignedCommand.mostOctets)) {
            try SignedCommand(payload: Array((text + padding + " ").utf8))
        }
        for (depth, isTaken) in [(6, true), (7, false)] {
            var deep: JSONValue = 1
            for _ in 0..<depth { deep = [deep] }
            let octets = Self.document(["arguments": ["x": deep]]).octets()
            #expect(((try? SignedCommand(payload: octets)) != nil) == isTaken, "\(depth)")  // depth is what refuses it
        }
    }

    @Test func everyCutIsRefused() {
        let text = Self.sample.octets
        for count in text.indices {
            #expect(throws: EnvelopeError.self, "\(count) octets") { try SignedCommand(payload: Array(text[..<count])) }
        }
    }

    @Test func damageTrapsNothing() {
        var mutation = Mutation(seed: 23)
        let text = Self.sample.octets
        var refused = 0
        for _ in 0..<Mutation.count() {
            do {
                let command = try SignedCommand(payload: mutation.damage(text))
                #expect(SignedCommand.sequences.contains(command.sequence) && command.sent < command.expires)
            } catch {
                refused += 1
                #expect(!"\(error)".isEmpty)
            }
        }
        #expect(refused > 0)
    }
}
