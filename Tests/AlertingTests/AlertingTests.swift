// SPDX-License-Identifier: Apache-2.0
import JSON
import Reports
import TestSupport
import Testing
import Time

@testable import Alerting

/// A reporter's watch over some boxes, in seconds.
private struct Watch {
    var alerting: Alerting
    var now: Int64 = 0
    var isHearing = true
    private var sequences: [String: Int64] = [:]

    init(_ rules: [AlertRule], _ limits: Alerting.Limits = Watch.limits, open: [Alert] = []) {
        alerting = Alerting(rules, limits, open: open)
    }

    static var limits: Alerting.Limits {
        var limits = Alerting.Limits()
        (limits.mostAtOnce, limits.gathering) = (3, .seconds(10))
        return limits
    }

    static func wall(_ seconds: Int64) -> WallTime { WallTime(nanoseconds: (1_795_780_800 + seconds) * 1_000_000_000) }

    mutating func hear(
        _ box: String, state: String? = "up", loss: Int64? = nil, signal: Int64? = nil, group: String? = nil,
        tags: [String] = [], isNew: Bool = true
    ) {
        sequences[box, default: 0] += 1
        let version = BoxCondition.Version(boot: "b", sequence: sequences[box] ?? 0)
        var condition = BoxCondition(box: box, version: version, arrived: Self.wall(now))
        (condition.state, condition.lossPPM, condition.signalDbm) = (state, loss, signal)
        (condition.group, condition.tags) = (group, tags)
        alerting.observe(condition, isNew: isNew, now: Monotonic(nanoseconds: now * 1_000_000_000))
    }

    /// Steps each second up to an instant.
    mutating func run(to end: Int64, _ each: (inout Watch) -> Void = { _ in }) -> [Alerting.Change] {
        var changes: [Alerting.Change] = []
        while now < end {
            now += 1
            each(&self)
            changes += alerting.step(
                isHearing: isHearing, now: Monotonic(nanoseconds: now * 1_000_000_000), wall: Self.wall(now))
        }
        return changes
    }
}

@Suite struct AlertingTests {
    private static func rule(
        _ kind: Alert.Kind, limit: Int64? = nil, clear: Int64 = 0, forS: Int64 = 0, clearForS: Int64 = 0
    ) -> AlertRule {
        var rule = AlertRule()
        (rule.name, rule.kind, rule.limit, rule.clear) = ("r-\(kind.rawValue)", kind, limit, clear)
        (rule.forS, rule.clearForS) = (forS, clearForS)
        return rule
    }

    private static func words(_ changes: [Alerting.Change]) -> [String] {
        changes.map { "\($0.event.rawValue) \($0.alert.box ?? "*")" }
    }

    // MARK: One box

    @Test func aStateHasToLast() {
        var watch = Watch([Self.rule(.state, forS: 30)])
        #expect(watch.run(to: 20) { $0.hear("a", state: "down") }.isEmpty)
        #expect(watch.run(to: 21) { $0.hear("a") }.isEmpty)
        #expect(watch.run(to: 51) { $0.hear("a", state: "down") }.isEmpty, "it began anew")
        let changes = watch.run(to: 70) { $0.hear("a", state: "down") }
        #expect(Self.words(changes) == ["opened a"])
        let alert = changes.first?.alert
        #expect(alert?.measured == .word("down") && alert?.limit == .word("up") && alert?.unit == nil)
        #expect(alert?.since == Watch.wall(22) && alert?.isOpen == true)
        let ended = watch.run(to: 75) { $0.hear("a") }
        #expect(Self.words(ended) == ["ended a"])
        #expect(ended.first?.alert.id == alert?.id && ended.first?.alert.until == Watch.wall(71))
        #expect(watch.alerting.open.isEmpty)
    }

    @Test func aSignalHasToBeBetterByTheHysteresis() {
        var watch = Watch([Self.rule(.signal, limit: -75, clear: 5)])
        let opened = watch.run(to: 20) { $0.hear("a", signal: -76) }
        #expect(Self.words(opened) == ["opened a"] && opened[0].alert.measured == .number(-76))
        #expect(opened[0].alert.limit == .number(-75) && opened[0].alert.unit == "dBm")
        #expect(watch.run(to: 30) { $0.hear("a", signal: -71) }.isEmpty)
        #expect(Self.words(watch.run(to: 31) { $0.hear("a", signal: -70) }) == ["ended a"])
        // In between nothing is opened either.
        #expect(watch.run(to: 60) { $0.hear("a", signal: -75) }.isEmpty)
    }

    @Test func aLossHasToBeGoodForLong() {
        var watch = Watch([Self.rule(.loss, limit: 1_000, clear: 500, clearForS: 20)])
        #expect(Self.words(watch.run(to: 20) { $0.hear("a", loss: 1_001) }) == ["opened a"])
        #expect(watch.run(to: 35) { $0.hear("a", loss: 500) }.isEmpty)
        #expect(watch.run(to: 36) { $0.hear("a", loss: 501) }.isEmpty)
        #expect(watch.run(to: 56) { $0.hear("a", loss: 0) }.isEmpty)
        #expect(Self.words(watch.run(to: 58) { $0.hear("a", loss: 0) }) == ["ended a"])
    }

    @Test func silenceIsOfWhoCouldBeHeard() {
        var watch = Watch([Self.rule(.silence, limit: 60)])
        #expect(watch.run(to: 10) { $0.hear("a") }.isEmpty)
        watch.isHearing = false
        #expect(watch.run(to: 500).isEmpty, "the reporter's own trouble is nobody's silence")
        watch.isHearing = true
        #expect(watch.run(to: 560).isEmpty)
        let changes = watch.run(to: 600)
        #expect(Self.words(changes) == ["opened a"] && changes[0].alert.since == Watch.wall(10))
        watch.isHearing = false
        _ = watch.run(to: 610)
        watch.isHearing = true
        #expect(watch.run(to: 650).isEmpty, "nothing has been heard")
        #expect(Self.words(watch.run(to: 651) { $0.hear("a") }) == ["ended a"])
    }

    @Test func aStateThatIsOldSaysNothing() {
        var watch = Watch([Self.rule(.state, forS: 200)])
        #expect(watch.run(to: 10) { $0.hear("a", state: "down") }.isEmpty)
        #expect(watch.run(to: 1_000).isEmpty)
    }

    @Test func rulesAreForGroupsAndTags() {
        var rule = Self.rule(.state)
        (rule.groups, rule.tags) = (["north"], ["vip", "bar"])
        var watch = Watch([rule])
        let changes = watch.run(to: 20) { watch in
            watch.hear("a", state: "down", group: "north", tags: ["bar"])
            watch.hear("b", state: "down", group: "south", tags: ["bar"])
            watch.hear("c", state: "down", group: "north", tags: ["gate"])
            watch.hear("d", state: "down")
        }
        #expect(Self.words(changes) == ["opened a"] && changes[0].alert.group == "north")
        // Whoever is moved to another group has no alert any more.
        let moved = watch.run(to: 21) { $0.hear("a", state: "down", group: "south", tags: ["bar"]) }
        #expect(Self.words(moved) == ["ended a"])
    }

    // MARK: Many boxes

    private static let many = (0..<100).map { "box-\($0 < 10 ? "0" : "")\($0)" }

    @Test func aSwitchThatIsGoneIsOneAlert() {
        var watch = Watch([Self.rule(.silence, limit: 60)])
        func hearAll(_ watch: inout Watch) { for box in Self.many { watch.hear(box, group: "north") } }
        #expect(watch.run(to: 10, hearAll).isEmpty)
        let changes = watch.run(to: 300) { $0.hear("box-00", group: "north") }
        #expect(Self.words(changes) == ["opened *"])
        let storm = changes.first?.alert
        #expect(storm?.boxes == 99 && storm?.group == "north" && storm?.measured.description == "71")
        #expect(
            storm?.text
                == "99 boxes of group north at once, box-01, box-02, box-03 …: nothing has come for 71 s; expected at most 60 s"
        )
        // The switch is back, but for two boxes: these have alerts of their own from now on.
        let back = watch.run(to: 302) { watch in for box in Self.many.dropLast(1) { watch.hear(box) } }
        #expect(Self.words(back) == ["ended *", "opened box-99"])
        #expect(back[0].alert.id == storm?.id && back[0].alert.boxes == 99)
    }

    @Test func fewGetAnAlertEach() {
        var watch = Watch([Self.rule(.silence, limit: 60)])
        #expect(watch.run(to: 10) { watch in for box in Self.many { watch.hear(box) } }.isEmpty)
        let changes = watch.run(to: 300) { watch in for box in Self.many.dropLast(3) { watch.hear(box) } }
        #expect(Self.words(changes) == ["opened box-97", "opened box-98", "opened box-99"])
        #expect(Set(changes.map(\.alert.id)).count == 3)
    }

    @Test func whoFallsSilentDuringAStormJoinsIt() {
        var watch = Watch([Self.rule(.silence, limit: 60)])
        #expect(watch.run(to: 10) { watch in for box in Self.many { watch.hear(box) } }.isEmpty)
        _ = watch.run(to: 100) { watch in for box in Self.many.dropFirst(50) { watch.hear(box) } }
        let more = watch.run(to: 200)
        #expect(Self.words(more) == ["changed *"] && more[0].alert.boxes == 100)
    }

    @Test func openAlertsAreBounded() {
        var limits = Watch.limits
        (limits.mostOpen, limits.mostAtOnce) = (5, 1_000)
        var watch = Watch([Self.rule(.state)], limits)
        let changes = watch.run(to: 60) { watch in for box in Self.many { watch.hear(box, state: "down") } }
        #expect(changes.count == 5 && watch.alerting.open.count == 5 && watch.alerting.leftOut > 0)
        // As soon as there is room, others are told.
        let next = watch.run(to: 90) { watch in
            for box in Self.many { watch.hear(box, state: changes.contains { $0.alert.box == box } ? "up" : "down") }
        }
        #expect(next.count { $0.event == .ended } == 5 && next.count { $0.event == .opened } == 5)
    }

    @Test func whoHasGoneForGoodIsForgotten() {
        var limits = Watch.limits
        limits.forgetting = .seconds(1_000)
        var watch = Watch([Self.rule(.silence, limit: 60)], limits)
        #expect(watch.run(to: 1) { $0.hear("a") }.isEmpty)
        #expect(Self.words(watch.run(to: 1_100)) == ["opened a", "ended a"])
        #expect(watch.alerting.boxes.isEmpty)
    }

    // MARK: Starts

    @Test func aRestartNeitherTellsAgainNorForgets() {
        let rules = [Self.rule(.silence, limit: 60), Self.rule(.state)]
        var watch = Watch(rules)
        #expect(watch.run(to: 2) { $0.hear("a") }.isEmpty)
        let opened = watch.run(to: 100) { $0.hear("b", state: "down") }
        #expect(Set(Self.words(opened)) == ["opened a", "opened b"])
        var next = Watch(rules, open: Array(watch.alerting.open.values))
        next.hear("a", isNew: false)
        next.hear("b", state: "down", isNew: false)
        #expect(next.run(to: 300) { $0.hear("b", state: "down") }.isEmpty)
        let ended = next.run(to: 310) { watch in
            watch.hear("a")
            watch.hear("b")
        }
        #expect(Set(ended.map(\.alert.id)) == Set(opened.map(\.alert.id)) && ended.allSatisfy { $0.event == .ended })
    }

    @Test func aStormOutlivesARestart() {
        let rules = [Self.rule(.silence, limit: 60)]
        var watch = Watch(rules)
        #expect(watch.run(to: 2) { watch in for box in Self.many { watch.hear(box) } }.isEmpty)
        let opened = watch.run(to: 100)
        #expect(Self.words(opened) == ["opened *"])
        var next = Watch(rules, open: Array(watch.alerting.open.values))
        for box in Self.many { next.hear(box, isNew: false) }
        #expect(next.run(to: 400).isEmpty)
        let ended = next.run(to: 401) { watch in for box in Self.many { watch.hear(box) } }
        #expect(Self.words(ended) == ["ended *"] && ended.first?.alert.id == opened.first?.alert.id)
    }

    @Test func alertsOfRulesAndBoxesThatAreGoneEnd() {
        var watch = Watch([Self.rule(.state)])
        _ = watch.run(to: 20) { $0.hear("a", state: "down") }
        let open = Array(watch.alerting.open.values)
        #expect(open.count == 1)
        var other = Watch([Self.rule(.silence, limit: 60)], open: open)
        #expect(Self.words(other.run(to: 1)) == ["ended a"])
        var empty = Watch([Self.rule(.state)], open: open)
        #expect(Self.words(empty.run(to: 1)) == ["ended a"])
    }

    /// Whatever comes, each alert is opened once and ends once, and no more are open than may be.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func anything(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var rules = [Self.rule(.state, forS: 5), Self.rule(.loss, limit: 10, clear: 3), Self.rule(.silence, limit: 20)]
        rules[1].clearForS = 7
        var watch = Watch(rules)
        var (open, ended): (Set<String>, Set<String>) = ([], [])
        for second in 1...400 as ClosedRange<Int64> {
            for box in Self.many.prefix(12) where Int.random(in: 0..<20, using: &random) > 0 {
                if Int.random(in: 0..<400, using: &random) == 0 { watch.isHearing.toggle() }
                let state = Int.random(in: 0..<8, using: &random) == 0 ? "down" : "up"
                watch.hear(box, state: state, loss: Int64.random(in: 0..<14, using: &random))
            }
            for change in watch.run(to: second) {
                switch change.event {
                case .opened:
                    #expect(!ended.contains(change.alert.id) && change.alert.isOpen)
                    #expect(open.insert(change.alert.id).inserted)
                case .ended:
                    #expect(open.remove(change.alert.id) != nil && !change.alert.isOpen)
                    ended.insert(change.alert.id)
                case .changed: #expect(open.contains(change.alert.id))
                }
                #expect(throws: Never.self) { _ = try Alert(parsing: change.alert.octets) }
            }
            #expect(Set(watch.alerting.open.keys) == open)
        }
    }
}
