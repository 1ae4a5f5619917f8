// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import SyslogMessages

@Suite struct SyslogMessageTests {
    private static let time = WallTime(nanoseconds: 1_795_000_000_123_000_000)

    private static func text(_ line: String, host: String = "box-1", program: String = "touchlined") -> String {
        let message = SyslogMessage(line: line, time: time, host: host, program: program)
        return String(decoding: message.octets, as: UTF8.self)
    }

    /// RFC 5424 §6: facility 3 (daemon), version 1, no process id and no structured data.
    @Test func lines() {
        let time = Self.time.description
        #expect(
            Self.text("<5>delivery: object complete tsi=1\n")
                == "<29>1 \(time) box-1 touchlined - delivery - object complete tsi=1")
        #expect(Self.text("<3>a b: c") == "<27>1 \(time) box-1 touchlined - - - a b: c")
        #expect(Self.text("plain") == "<30>1 \(time) box-1 touchlined - - - plain")
        #expect(Self.text("<9>x: y") == "<30>1 \(time) box-1 touchlined - <9>x - y")
        #expect(Self.text("") == "<30>1 \(time) box-1 touchlined - - - ")
        #expect(Self.text("<6>x: y", host: "a b", program: "") == "<30>1 \(time) - - - x - y")
    }

    @Test func noTextLooksLikeAnotherMessage() {
        #expect(Self.text("<6>x: a\n<0>1 evil\u{7}").hasSuffix(" - x - a <0>1 evil "))
    }

    @Test func longOnesAreCutBetweenCodePoints() {
        let octets = SyslogMessage(
            line: "<6>x: " + String(repeating: "\u{1d11e}", count: 2_000), time: Self.time, host: "b", program: "t"
        ).octets
        #expect((2_045...2_048).contains(octets.count))
        #expect(String(validating: octets, as: UTF8.self) != nil)
    }

    @Test func anyLineIsWritten() {
        for seed in 0..<UInt64(Mutation.count(usual: 500)) {
            var mutation = Mutation(seed: seed)
            let line = String(
                decoding: mutation.damage(Array("<5>delivery: object complete tsi=1\n".utf8)), as: UTF8.self)
            let message = SyslogMessage(line: line, time: Self.time, host: "b", program: "t")
            #expect(message.octets.allSatisfy { $0 >= 0x20 && $0 != 0x7f } && (0...7).contains(message.severity))
        }
    }
}
