// SPDX-License-Identifier: Apache-2.0
import JSON
import Reports
import Shapes
import TestSupport
import Testing
import Time

@testable import Alerting

@Suite struct AlertRuleTests {
    private static let wrong: [(rule: JSONValue, message: String)] = [
        (["name": "Far", "kind": "state"], #"/name is "Far"; expected a name of a-z, 0-9 and -, 1...64"#),
        (["name": "far", "kind": "mood"], #"/kind is "mood"; expected one of state, loss, signal, silence"#),
        (["name": "far", "kind": "signal"], "/limit: expected dBm, -120...-1"),
        (["name": "far", "kind": "signal", "limit": 5], "/limit is 5; expected dBm, -120...-1"),
        (["name": "far", "kind": "signal", "limit": -70, "clear": 61], "/clear is 61; expected dB, 0...60"),
        (["name": "l", "kind": "loss", "limit": -1], "/limit is -1; expected ppm of what was sent, 0...999999"),
        (
            ["name": "l", "kind": "loss", "limit": 100, "clear": 101],
            "/clear is 101; expected at most the limit, ppm, 0...100"
        ),
        (["name": "s", "kind": "silence", "limit": 4], "/limit is 4; expected seconds, 5...604800"),
        (["name": "s", "kind": "state", "limit": 4], "/limit is 4; expected none of a rule for states"),
        (["name": "s", "kind": "state", "states": []], "/states is an array; expected an array of 1...8 elements"),
        (["name": "s", "kind": "state", "forS": -1], "/forS is -1; expected an integer, 0...86400"),
        (["kind": "state"], "/name: expected a name of a-z, 0-9 and -, 1...64"),
    ]

    private static func problems(of document: JSONValue) -> [String] {
        let problems = AlertRule.kind.problems(of: document)
        return (problems.isEmpty ? AlertRule(reading: document).problems(at: "") : problems).map(\.description)
    }

    @Test(arguments: wrong.indices) func whatIsWrongIsNamed(index: Int) {
        let (rule, message) = Self.wrong[index]
        #expect(Self.problems(of: rule) == [message])
    }

    @Test func whatIsRightIsTaken() {
        for rule: JSONValue in [
            ["name": "down", "kind": "state", "states": ["up", "degraded"], "groups": ["a"], "tags": ["b"]],
            ["name": "far", "kind": "signal", "limit": -75, "clear": 5, "forS": 60, "severity": "notice"],
            ["name": "lossy", "kind": "loss", "limit": 1_000, "clear": 500],
            ["name": "s", "kind": "silence", "limit": 60],
        ] {
            #expect(Self.problems(of: rule).isEmpty, "\(rule.text())")
        }
        var rule = AlertRule()
        rule.name = "a"
        #expect(
            AlertRule.problems(of: [rule, rule], at: "/rules").map(\.description) == [
                #"/rules/1/name is "a"; expected another name for each rule"#
            ])
    }

    @Test func readsAState() {
        let report: JSONValue = [
            "identity": ["name": "Bar", "group": "north"], "tags": ["vip"], "service": ["state": "down"],
            "accessPoints": [["bssid": "x", "packets": 900, "lost": 60], ["bssid": "y", "packets": 100, "lost": -7]],
            "wifi": [["interface": "wlan0", "signalDbm": -50], ["interface": "wlan1", "signalAverageDbm": -71]],
        ]
        let condition = BoxCondition(
            box: "b", version: .init(boot: "", sequence: 1), arrived: WallTime(nanoseconds: 0), report: report)
        #expect(condition.name == "Bar" && condition.group == "north" && condition.tags == ["vip"])
        #expect(condition.state == "down" && condition.lossPPM == 56_603 && condition.signalDbm == -71)
        let nothing = BoxCondition(
            box: "b", version: .init(boot: "", sequence: 1), arrived: WallTime(nanoseconds: 0), report: .null)
        #expect(nothing.lossPPM == nil && nothing.signalDbm == nil && nothing.state == nil)
    }

    @Test func deliveriesAreTriedAgainLaterAndLater() {
        var (schedule, random) = (DeliverySchedule(), SplitMix64(seed: 1))
        var now = Monotonic(nanoseconds: 0)
        #expect(schedule.isDue(at: now))
        var pauses: [Nanoseconds] = []
        for _ in 0..<12 {
            schedule.began()
            #expect(!schedule.isDue(at: now))
            #expect(schedule.ended(.init(status: 503, retryAfter: nil), at: now, &random) == false)
            pauses.append(schedule.due - now)
            now = schedule.due
        }
        #expect(pauses[0] <= .seconds(1) && pauses[11] >= .seconds(150) && pauses.allSatisfy { $0 <= .seconds(300) })
        #expect(schedule.ended(.init(status: 429, retryAfter: 7_200), at: now, &random) == false)
        #expect(schedule.due - now >= .seconds(3_600) && schedule.due - now <= .seconds(3_900))
        for (status, isOver) in [(200, true), (204, true), (422, true), (401, false), (404, false), (302, false)] {
            #expect(schedule.ended(.init(status: status, retryAfter: nil), at: now, &random) == isOver, "\(status)")
        }
        _ = schedule.ended(.delivered, at: now, &random)
        #expect(schedule.isDue(at: now))
    }
}
