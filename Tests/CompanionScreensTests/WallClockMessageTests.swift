// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing
import Time

@testable import CompanionScreens

@Suite struct WallClockMessageTests {
    private static func parse(_ bytes: [UInt8]) throws -> WallClockMessage {
        try bytes.withUnsafeBytes { try WallClockMessage($0) }
    }

    @Test func readsAndWritesARequest() throws {
        #expect(WallClockMessage.request(originate: 0x47b_0ef8_11ed).octets == Captured.request)
        #expect(try Self.parse(Captured.request) == .request(originate: 0x47b_0ef8_11ed))
    }

    @Test func readsAndWritesAResponse() throws {
        let message = try Self.parse(Captured.response)
        #expect(message.kind == .response && message.precision == -19 && message.maximumFrequencyError == 128_000)
        #expect(WallClockTime(timeValue: message.originate)?.nanoseconds == 1_147_251_138_541)
        #expect(message.receive.nanoseconds == 1_147_252_796_342 && message.transmit.nanoseconds == 1_147_252_897_994)
        #expect(message.octets == Captured.response)
    }

    @Test func aFollowUpIsRecognisedByItsOriginate() throws {
        let first = try Self.parse(Captured.responseBeforeFollowUp)
        let second = try Self.parse(Captured.followUp)
        #expect(first.kind == .responseBeforeFollowUp && second.kind == .followUp)
        #expect(first.originate == second.originate && first.receive == second.receive)
        #expect(second.transmit.nanoseconds - first.transmit.nanoseconds == 27_016)
        #expect(first.octets == Captured.responseBeforeFollowUp && second.octets == Captured.followUp)
    }

    /// Whatever a client writes there, a server gives it back.
    @Test func originateIsEchoedUnchanged() throws {
        var request = Captured.request
        request.replaceSubrange(8..<16, with: [0, 0, 0, 1, 0xee, 0xff, 0x11, 0x22])
        let heard = try Self.parse(request)
        #expect(heard.originate == 0x1_eeff_1122)
        #expect(WallClockTime(timeValue: heard.originate) == nil)
        let answer = WallClockMessage(
            .response, precision: -19, maximumFrequencyError: 128_000, originate: heard.originate,
            receive: WallClockTime(nanoseconds: 1), transmit: WallClockTime(nanoseconds: 2))
        #expect(Array(answer.octets[8..<16]) == Array(request[8..<16]))
        #expect(try Self.parse(answer.octets) == answer)
    }

    @Test func everyOtherLengthThrows() {
        for count in 0..<32 {
            let error = thrown(WireError.self) { try Self.parse(Array(Captured.response.prefix(count))) }
            guard case .truncated = error?.reason else {
                Issue.record("\(count) octets: \(String(describing: error))")
                continue
            }
        }
        #expect(
            thrown(WireError.self) { try Self.parse(Captured.response + [0]) }?.description
                == "wall clock message octets 33 is invalid at octet 32")
    }

    @Test(
        arguments: [
            (0, [1], "wall clock version 1 is not supported at octet 0"),
            (1, [4], "wall clock message type 4 is not supported at octet 1"),
            (1, [255], "wall clock message type 255 is not supported at octet 1"),
            (20, [0x3b, 0x9a, 0xca, 0], "receive nanoseconds 1000000000 is invalid at octet 20"),
            (28, [0xff, 0xff, 0xff, 0xff], "transmit nanoseconds 4294967295 is invalid at octet 28"),
        ] as [(Int, [UInt8], String)])
    func refuses(place: Int, octets: [UInt8], reason: String) {
        var bytes = Captured.response
        bytes.replaceSubrange(place..<place + octets.count, with: octets)
        #expect(thrown(WireError.self) { try Self.parse(bytes) }?.description == reason)
    }

    @Test func theReservedOctetIsIgnoredAndSentAsZero() throws {
        var bytes = Captured.response
        bytes[3] = 0xff
        #expect(try Self.parse(bytes).octets == Captured.response)
        bytes.replaceSubrange(20..<24, with: [0x3b, 0x9a, 0xc9, 0xff])
        #expect(try Self.parse(bytes).receive.nanoseconds == 1_147_999_999_999)
    }

    @Test func timeValuesWrapAfter32BitsOfSeconds() {
        #expect(WallClockTime(timeValue: .max << 32)?.nanoseconds == 4_294_967_295_000_000_000)
        #expect(WallClockTime(nanoseconds: 4_294_967_296_000_000_007).timeValue == 7)
        #expect(WallClockTime(nanoseconds: -1).timeValue == 0xffff_ffff_3b9a_c9ff)
        #expect(WallClockTime(nanoseconds: .min).timeValue != WallClockTime(nanoseconds: .max).timeValue)
    }

    @Test(
        arguments: [
            (1_000_000, -9), (700_000, -10), (10_000, -16), (976_562, -10), (976_563, -9), (1, -29), (0, -29),
            (.min, -29), (1_000_000_000, 0), (1_000_000_001, 1), (.max, 34),
        ] as [(Int64, Int8)])
    func precisionIsRoundedUpToAPowerOfTwo(resolution: Int64, power: Int8) {
        #expect(WallClockMessage.precision(of: Nanoseconds(resolution)) == power)
    }

    @Test(
        arguments: [
            (-19, 1_908), (-9, 1_953_125), (0, 1_000_000_000), (1, 2_000_000_000), (33, 8_589_934_592_000_000_000),
            (34, .max), (127, .max), (-30, 1), (-31, 1), (-128, 1),
        ] as [(Int8, Int64)])
    func precisionIsASpan(power: Int8, nanoseconds: Int64) {
        #expect(message(precision: power).precisionSpan.count == nanoseconds)
    }

    /// 50 ppm, 500 ppm and 0.01 ppm among them.
    @Test(
        arguments: [
            (50_000, 12_800), (500_000, 128_000), (10, 3), (0, 0), (-1, 0), (.min, 0), (.max, .max),
            (16_777_215_996, .max), (16_777_215_992, 4_294_967_294),
        ] as [(Int64, UInt32)])
    func frequencyErrorIsRoundedUp(partsPerBillion: Int64, field: UInt32) {
        #expect(WallClockMessage.frequencyError(partsPerBillion: partsPerBillion) == field)
    }

    @Test(
        arguments: [(0, 0), (3, 12), (12_800, 50_000), (128_000, 500_000), (.max, 16_777_215_997)] as [(UInt32, Int64)])
    func frequencyErrorIsToldInBillionths(field: UInt32, partsPerBillion: Int64) {
        #expect(message(frequencyError: field).maximumFrequencyErrorPartsPerBillion == partsPerBillion)
    }

    private func message(precision: Int8 = 0, frequencyError: UInt32 = 0) -> WallClockMessage {
        let time = WallClockTime(nanoseconds: 0)
        return WallClockMessage(
            .response, precision: precision, maximumFrequencyError: frequencyError, originate: 0, receive: time,
            transmit: time)
    }

    @Test(arguments: Effort.seeds(200)) func damageIsRefusedOrReadWhole(seed: UInt64) throws {
        var mutation = Mutation(seed: seed)
        var bytes = mutation.damage(Captured.response)
        guard let message = try? Self.parse(bytes) else { return }  // refusing is an answer
        bytes[3] = 0
        #expect(message.octets == bytes)
    }
}
