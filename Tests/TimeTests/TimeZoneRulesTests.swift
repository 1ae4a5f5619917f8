// SPDX-License-Identifier: Apache-2.0
import Bytes
import Foundation
import TestSupport
import Testing

@testable import Time

@Suite struct TimeZoneRulesTests {
    static let directory = "/usr/share/zoneinfo/"
    /// Not Morocco: Foundation's own rules for it, of some years, are not tzdata's.
    static let zones = [
        "UTC", "Europe/Berlin", "Europe/Dublin", "America/New_York", "America/Sao_Paulo", "Asia/Kathmandu",
        "Australia/Lord_Howe", "Pacific/Apia", "America/Nuuk", "Antarctica/Troll",
    ]

    static func octets(_ zone: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: directory + zone)))
    }

    /// From 1901 to 2200, beyond every table of transitions, against Foundation.
    @Test(arguments: Self.zones) func agreesWithFoundation(zone: String) throws {
        let rules = try TimeZoneRules(tzif: try Self.octets(zone))
        let reference = try #require(TimeZone(identifier: zone))
        var random = SplitMix64(seed: 7)
        for _ in 0..<2_000 {
            let seconds = Int64.random(in: -2_145_916_800...2_145_916_800 * 2, using: &random)
            let time = WallTime(nanoseconds: seconds * 1_000_000_000)
            let expected = reference.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
            #expect(rules.offset(at: time) == expected, "\(zone) at \(time)")
        }
    }

    /// GNU date is asked, once: `Process` is slow where many descriptors are allowed.
    @Test func textAgreesWithDate() throws {
        let zones = ["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/New_York"]
        let instants: [Int64] = [0, 1_795_000_000, 1_782_000_000, -86_400, 4_102_444_800]
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let each = "TZ=$zone date -d @$seconds +%Y-%m-%dT%H:%M:%S%:z"
        let (names, numbers) = (zones.joined(separator: " "), instants.map(String.init).joined(separator: " "))
        process.arguments = ["-c", "for zone in \(names); do for seconds in \(numbers); do \(each); done; done"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let lines = try zones.flatMap { zone in
            let rules = try TimeZoneRules(tzif: try Self.octets(zone))
            return instants.map { rules.text(of: WallTime(nanoseconds: $0 * 1_000_000_000)) }
        }
        #expect(lines == text.split(separator: "\n").map(String.init))
    }

    /// Berlin had the sun's time, 53 min 28 s ahead, which RFC 3339 cannot write: it is cut to the minute, clock and all.
    @Test func offsetsOfSecondsAreCut() throws {
        let rules = try TimeZoneRules(tzif: try Self.octets("Europe/Berlin"))
        let text = rules.text(of: WallTime(nanoseconds: -2_500_000_000 * 1_000_000_000))
        #expect(text == "1890-10-11T20:26:20+00:53")
        #expect(TimeZoneRules.utc.text(of: WallTime(nanoseconds: 999_999_999)) == "1970-01-01T00:00:00+00:00")
        for nanoseconds in [Int64.min, .max] { #expect(rules.text(of: WallTime(nanoseconds: nanoseconds)).count == 25) }
    }

    @Test func theSecondOfTheChange() throws {
        let rules = try TimeZoneRules(tzif: try Self.octets("Europe/Berlin"))
        func clock(_ seconds: Int64) -> String { rules.civil(at: WallTime(nanoseconds: seconds * 1_000_000_000)).clock }
        #expect(clock(1_774_745_999) == "01:59")  // 2026-03-29T00:59:59Z
        #expect(clock(1_774_746_000) == "03:00")
        #expect(clock(1_792_889_999) == "02:59")  // 2026-10-25T00:59:59Z
        #expect(clock(1_792_890_000) == "02:00")
        let date = rules.civil(at: WallTime(nanoseconds: 1_798_757_999_999_999_999))
        #expect(date == CivilTime(year: 2026, month: 12, day: 31, hour: 23, minute: 59, second: 59))
    }

    @Test(
        arguments: [
            ("CET-1CEST,M3.5.0,M10.5.0/3", 1_784_000_000, 7_200), ("CET-1CEST,M3.5.0,M10.5.0/3", 1_798_000_000, 3_600),
            ("<-03>3", 0, -10_800), ("NZST-12NZDT,M9.5.0,M4.1.0/3", 1_798_000_000, 46_800),
            ("EST5EDT4,J60/2,300/-1:30", 1_784_000_000, -14_400), ("IST-1GMT0,M10.5.0,M3.5.0/1", 1_784_000_000, 3_600),
        ] as [(String, Int64, Int)])
    func ruleOfEveryYear(text: String, seconds: Int64, offset: Int) throws {
        #expect(try #require(RecurringOffsets(posix: Array(text.utf8))).offset(at: seconds) == offset)
    }

    @Test(arguments: [
        "", "C", "CET", "CET-25", "CET-1CEST", "CET-1CEST,M13.1.0,M1.1.0", "CET-1CEST,M3.5.0", "<CET-1",
        "CET-1CEST,J0,1",
        "CET-1CEST,M3.5.0,M10.5.0/168", "CET-1CEST,M3.5.0,M10.5.0 ", "CET--1", "CET9999999999999999999",
    ])
    func badRulesAreRefused(text: String) { #expect(RecurringOffsets(posix: Array(text.utf8)) == nil) }

    @Test func everyTruncationThrows() throws {
        let whole = try Self.octets("Europe/Berlin")
        for length in 0..<whole.count {
            #expect(thrown(WireError.self) { try TimeZoneRules(tzif: Array(whole[..<length])) } != nil, "\(length)")
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func mutationsNeverTrap(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let whole = try Self.octets("America/New_York")
        for _ in 0..<200 {
            var octets = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                octets[Int.random(in: 0..<octets.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let rules = try? TimeZoneRules(tzif: octets) else { continue }  // refused is as good
            for seconds in [Int64.min, -1, 0, 1_798_000_000, .max] {
                _ = rules.civil(at: WallTime(nanoseconds: seconds))
            }
        }
    }

    @Test func utcIsUTC() { #expect(TimeZoneRules.utc.offset(at: WallTime(nanoseconds: .max)) == 0) }
}
