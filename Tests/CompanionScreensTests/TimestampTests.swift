// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import CompanionScreens

/// The timestamps of CSS-TS, of both directions.
@Suite struct TimestampTests {
    private static func control(_ text: String) throws -> ControlTimestamp {
        try ControlTimestamp(parsing: Array(text.utf8))
    }
    private static func presentation(_ text: String) throws -> PresentationTimestamps {
        try PresentationTimestamps(parsing: Array(text.utf8))
    }

    @Test(
        arguments: [(Captured.playing, 703_963, 1), (Captured.paused, 703_963, 0), (Captured.unavailable, nil, nil)]
            as [(String, Int64?, Double?)])
    func readsAndWritesControlTimestamps(text: String, contentTime: Int64?, speed: Double?) throws {
        let stamp = try Self.control(text)
        #expect(stamp.movement?.contentTime == contentTime && stamp.movement?.speed == speed)
        #expect(stamp.wallClockTime.nanoseconds == (speed == nil ? 1_147_828_508_242 : 1_113_285_308_466))
        #expect(String(decoding: stamp.octets, as: UTF8.self) == text)
    }

    @Test func readsNumbersAndWhatIsMissing() throws {
        let playing = try Self.control(Captured.playing)
        #expect(
            try Self.control(#"{"contentTime":703963,"wallClockTime":1113285308466,"timelineSpeedMultiplier":"1"}"#)
                == playing)
        #expect(try Self.control(#"{"wallClockTime":"1147828508242"}"#) == Self.control(Captured.unavailable))
    }

    @Test(arguments: [
        ("[]", "the message is [] where an object is expected"),
        ("{}", "/wallClockTime is missing where nanoseconds, an integer in a string is expected"),
        (#"{"contentTime":"1","wallClockTime":"1"}"#, "/timelineSpeedMultiplier is missing where a number, as there"),
        (
            #"{"contentTime":null,"wallClockTime":"1","timelineSpeedMultiplier":1}"#,
            "/contentTime is null where an integer, as the timeline has a speed, is expected"
        ),
        (#"{"wallClockTime":null}"#, "/wallClockTime is null where nanoseconds"),
        (#"{"wallClockTime":"plusinfinity"}"#, "/wallClockTime is \"plusinfinity\" where nanoseconds"),
        (#"{"wallClockTime":"1","timelineSpeedMultiplier":1e300}"#, "/timelineSpeedMultiplier is 1e+300 where a"),
        (#"{"wallClockTime":"1","timelineSpeedMultiplier":-1000.5}"#, "/timelineSpeedMultiplier is -1000.5 where"),
        (#"{"wallClockTime":"1","timelineSpeedMultiplier":true}"#, "/timelineSpeedMultiplier is true where a number"),
    ])
    func refusesControlTimestamps(text: String, reason: String) {
        let error = thrown(CompanionMessageError.self) { try Self.control(text) }
        #expect(error?.description.hasPrefix(reason) == true, "\(String(describing: error))")
    }

    @Test(arguments: ["0", "-1", "9", "10", "9223372036854775807", "-9223372036854775808"])
    func integersAreDecimal(text: String) throws {
        let whole = "{\"contentTime\":\"\(text)\",\"wallClockTime\":\"\(text)\",\"timelineSpeedMultiplier\":-0.5}"
        #expect(String(decoding: try Self.control(whole).octets, as: UTF8.self) == whole)
    }

    @Test(arguments: [
        "\"\"", "\"-\"", "\"-0\"", "\"00\"", "\"01\"", "\"-01\"", "\"+1\"", "\" 1\"", "\"1 \"", "\"1.0\"", "\"1e3\"",
        "\"0x1\"", "\"9223372036854775808\"", "\"-9223372036854775809\"", "\"١\"", "\"99999999999999999999999\"", "0.5",
        "1e300", "true", "[1]", "{}",
    ])
    func refusesOtherIntegers(json: String) {
        #expect(thrown(CompanionMessageError.self) { try Self.control("{\"wallClockTime\":\(json)}") } != nil)
        let content = "{\"contentTime\":\(json),\"wallClockTime\":\"1\",\"timelineSpeedMultiplier\":1}"
        #expect(thrown(CompanionMessageError.self) { try Self.control(content) } != nil)
    }

    /// By the rule of the standard: content time + elapsed seconds × tick rate × speed.
    @Test(
        arguments: [
            (0, 1, 100), (1_000_000_000, 1, 90_100), (-1_000_000_000, 1, -89_900), (11_111, 1, 100), (11_112, 1, 101),
            (-1, 1, 99), (5_000_000_000, 0, 100), (2_000_000_000, -1, -179_900), (1_000_000_000, 0.5, 45_100),
            (1_000_000_000, 1.001, 90_190), (4_294_967_296_000_000_000, 1, 386_547_056_640_100),
            (.max - 1_000, 1_000, nil), (.min, 1, nil),
        ] as [(Int64, Double, Int64?)])
    func positionFollowsTheWallClock(elapsed: Int64, speed: Double, position: Int64?) {
        let stamp = ControlTimestamp(
            wallClockTime: WallClockTime(nanoseconds: 1_000),
            movement: ControlTimestamp.Movement(contentTime: 100, speed: speed))
        let instant = WallClockTime(nanoseconds: elapsed == .min ? .min : elapsed + 1_000)
        #expect(stamp.position(at: instant, on: TimelineProperties(.mpeg)) == position)
    }

    @Test func positionsOfOtherRates() throws {
        let stamp = try Self.control(#"{"contentTime":"0","wallClockTime":"0","timelineSpeedMultiplier":1}"#)
        let pictures = TimelineProperties(unitsPerTick: 1_001, unitsPerSecond: 30_000)
        let hour = WallClockTime(nanoseconds: 3_600_000_000_000)
        #expect(stamp.position(at: hour, on: pictures) == 107_892)
        // A day is 2 589 410 whole pictures and a part; in binary fractions of a second it would drift.
        #expect(stamp.position(at: WallClockTime(nanoseconds: 86_400_000_000_000), on: pictures) == 2_589_410)
        let slow = TimelineProperties(unitsPerTick: 1_000_000_000, unitsPerSecond: 1)
        #expect(stamp.position(at: hour, on: slow) == 0)
        #expect(try Self.control(Captured.unavailable).position(at: hour, on: pictures) == nil)
        let late = ControlTimestamp(
            wallClockTime: WallClockTime(nanoseconds: 0),
            movement: ControlTimestamp.Movement(contentTime: .max, speed: 1))
        #expect(late.position(at: WallClockTime(nanoseconds: 0), on: pictures) == .max)
        #expect(late.position(at: hour, on: pictures) == nil)
    }

    @Test func readsAndWritesPresentationTimestamps() throws {
        let stamps = try Self.presentation(Captured.presentation)
        let instant = WallClockTime(nanoseconds: 115_992_000_000)
        let bound = PresentationTimestamps.Bound(contentTime: 834_190, wallClockTime: nil)
        #expect(
            stamps
                == PresentationTimestamps(
                    actual: .init(contentTime: 834_190, wallClockTime: instant), earliest: bound, latest: bound))
        #expect(String(decoding: stamps.octets, as: UTF8.self) == Captured.presentation)
        let finite =
            #"{"earliest":{"contentTime":"-1","wallClockTime":"5"},"latest":{"contentTime":"0","wallClockTime":"-6"}}"#
        #expect(try Self.presentation(finite).latest.wallClockTime?.nanoseconds == -6)
        #expect(String(decoding: try Self.presentation(finite).octets, as: UTF8.self) == finite)
    }

    @Test(arguments: [
        ("{}", "/earliest is missing where an object is expected"),
        (#"{"actual":[]}"#, "/actual is [] where an object is expected"),
        (
            #"{"actual":{"contentTime":"1","wallClockTime":"plusinfinity"}}"#,
            "/actual/wallClockTime is \"plusinfinity\" where nanoseconds"
        ),
        (#"{"actual":{"contentTime":null,"wallClockTime":"1"}}"#, "/actual/contentTime is null where ticks"),
        (
            #"{"earliest":{"contentTime":"1","wallClockTime":"plusinfinity"}}"#,
            "/earliest/wallClockTime is \"plusinfinity\" where nanoseconds"
        ),
        (#"{"earliest":{"contentTime":"minusinfinity"}}"#, "/earliest/contentTime is \"minusinfinity\" where ticks"),
        (#"{"earliest":{"contentTime":1,"wallClockTime":2},"latest":null}"#, "/latest is null where an object"),
        (
            #"{"earliest":{"contentTime":1,"wallClockTime":2},"latest":{"contentTime":1,"wallClockTime":"minusinfinity"}}"#,
            "/latest/wallClockTime is \"minusinfinity\" where nanoseconds"
        ),
    ])
    func refusesPresentationTimestamps(text: String, reason: String) {
        let error = thrown(CompanionMessageError.self) { try Self.presentation(text) }
        #expect(error?.description.hasPrefix(reason) == true, "\(String(describing: error))")
    }
}
