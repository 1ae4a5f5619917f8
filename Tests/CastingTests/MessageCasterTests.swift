// SPDX-License-Identifier: Apache-2.0
import DataMessages
import RTP
import TestSupport
import Testing
import Time
import Venue

@testable import Casting

@Suite struct MessageCasterTests {
    private static let transport = Transport(address: "239.0.0.1", port: 5_004, encapsulation: .rtp(payloadType: 96))

    private func caster(
        _ texts: [String], every interval: Nanoseconds = .milliseconds(100), kilobits: Int = 1_000,
        incoming: @escaping () -> [OutgoingMessage] = { [] }
    ) -> MessageCaster {
        let schedule = MessageSchedule(
            texts.map { OutgoingMessage(octets: Array($0.utf8)) }, every: interval, hasPlaceholders: true)
        return MessageCaster(
            .init(contentType: "text/plain", schedule: schedule, kilobitsPerSecond: kilobits),
            transport: Self.transport,
            identity: .init(ssrc: 5, sequence: 65_530, timestamp: 0), incoming: incoming)
    }

    /// What a receiver makes of so many slots.
    private func messages(_ caster: MessageCaster, slots: Int) throws -> [DataMessage] {
        var assembler = MessageAssembler()
        var messages: [DataMessage] = []
        for _ in 0..<slots {
            caster.nextSlot(clock: "12:00:00.000") { bytes, due in
                guard let header = try? RTPHeader(bytes) else {  // the recorded issue is what matters
                    Issue.record("no RTP")
                    return
                }
                let payload = UnsafeRawBufferPointer(rebasing: bytes[header.payload])
                let now = Monotonic(nanoseconds: due.count)
                if let message = assembler.payloadReceived(payload, source: header.ssrc, at: now) {
                    messages.append(message)
                }
            }
        }
        return messages
    }

    @Test func messagesComeInTurnAndOnTime() throws {
        let found = try messages(caster(["one {count}", "two {clock} {clo"]), slots: 25)
        let texts = found.map { String(decoding: $0.octets, as: UTF8.self) }
        #expect(texts == ["one 0", "two 12:00:00.000 {clo", "one 2", "two 12:00:00.000 {clo", "one 4"])
        #expect(found.allSatisfy { $0.contentType == "text/plain" })
        #expect(found.map(\.arrival.nanoseconds) == (0..<5).map { $0 * 100_000_000 })
    }

    @Test func largeMessagesAreSpreadEvenly() throws {
        var given = false
        let large = OutgoingMessage(contentType: "a/b", octets: [UInt8](repeating: 7, count: 65_536))
        let caster = caster([], kilobits: 2_000) {
            defer { given = true }
            return given ? [] : [large]
        }
        var dues: [(Nanoseconds, Int)] = []
        var sequence: UInt16 = 65_530
        for _ in 0..<25 {
            caster.nextSlot(clock: "") { bytes, due in
                guard let header = try? RTPHeader(bytes) else {  // the recorded issue is what matters
                    Issue.record("no RTP")
                    return
                }
                #expect(header.sequence == sequence && header.payloadType == 96 && header.timestamp == 0)
                sequence &+= 1
                dues.append((due, bytes.count))
            }
        }
        #expect(dues.count == 56)
        for ((earlier, octets), (later, _)) in zip(dues, dues.dropFirst()) {
            #expect((later - earlier).count == Int64(octets) * 4_000)
        }
    }

    @Test func whatComesGoesOutInOrderAndTooMuchIsRefused() throws {
        var waiting = (0..<1_100).map { OutgoingMessage(octets: Array("\($0)".utf8)) }
        let caster = caster([], kilobits: 100_000) {
            defer { waiting = [] }
            return waiting
        }
        let found = try messages(caster, slots: 50)
        #expect(found.map { String(decoding: $0.octets, as: UTF8.self) } == (0..<1_024).map { "\($0)" })
        #expect(caster.refused == 76)
    }

    @Test func linesAreMessages() throws {
        let file = """
            {"text": "Goal"}

            {"contentType": "application/cue", "json": {"cue": 7}}
            {"base64": "AQID"}
            """
        let messages = try OutgoingMessage.lines(Array(file.utf8))
        let expected = [
            OutgoingMessage(octets: Array("Goal".utf8)),
            OutgoingMessage(contentType: "application/cue", octets: Array("{\"cue\":7}".utf8)),
            OutgoingMessage(octets: [1, 2, 3]),
        ]
        #expect(messages == expected)
    }

    @Test(arguments: [
        ("{\"text\": \"a\"}\n[]", "line 2: no object"),
        ("{\"txt\": \"a\"}", "line 1: txt is no member; expected one of base64, contentType, json, text"),
        ("{\"text\": \"a\", \"json\": 1}", "line 1: expected one of text, json and base64"),
        ("{\"text\": \"\"}", "line 1: text: expected a text of 1...65536 octets"),
        ("{\"base64\": \"?\"}", "line 1: base64: expected a text of 1...65536 octets"),
        ("{\"text\": \"a\", \"contentType\": 3}", "line 1: contentType is 3; expected at most 127 characters of ASCII"),
    ]) func badLinesSayWhy(text: String, expected: String) {
        let error = thrown(MessageLineError.self) { try OutgoingMessage.lines(Array(text.utf8)) }
        #expect(error?.description == expected)
    }
}
