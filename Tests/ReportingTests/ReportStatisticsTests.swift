// SPDX-License-Identifier: Apache-2.0
import JSON
import Statistics
import Testing

@testable import Reporting

@Suite struct ReportStatisticsTests {
    private struct Counters {
        var packets: Int64 = 0
        var level: Int64 = 0
        var title = "a"

        static let statistics: [Statistic<Self>] = [
            .counter("packets", \.packets, "packets", "Packets."), .gauge("level", \.level, .none, "Level."),
            .text("title", \.title, "Title."),
            Statistic("refused", .counter, "packets", "Refused.") { .integer($0.packets / 10) }
                .labelled("reason", "late", at: "refused", "late"),
        ]
    }

    private final class Box {
        var counters: [String: Counters] = ["1": Counters()]
        let registry = StatisticRegistry()

        init() {
            registry.attach(
                StatisticGroup("reception", each: Counters.statistics) { [unowned self] in
                    counters.sorted { $0.key < $1.key }.map { (["session": $0.key], $0.value) }
                })
        }
    }

    @Test func onlyWhatChangedIsTold() {
        let box = Box()
        var statistics = ReportStatistics()
        box.counters["1"]?.packets = 7
        let first: JSONValue = ["packets": [7, 7], "level": 0, "title": "a", "refused.late": [0, 0]]
        #expect(
            statistics.compose(box.registry.snapshot())
                == ["reception": [["labels": ["session": "1"], "values": first]]])
        #expect(statistics.compose(box.registry.snapshot()) == [:])
        box.counters["1"]?.packets = 17
        box.counters["1"]?.level = -3
        let second: JSONValue = ["packets": [17, 10], "level": -3, "refused.late": [1, 1]]
        #expect(
            statistics.compose(box.registry.snapshot())
                == ["reception": [["labels": ["session": "1"], "values": second]]])
    }

    @Test func engineThatIsMadeAnewCountsFromZero() {
        let box = Box()
        var statistics = ReportStatistics()
        box.counters["1"]?.packets = 7
        _ = statistics.compose(box.registry.snapshot())
        box.counters["1"]?.packets = 3
        box.counters["2"] = Counters(packets: 5)
        let groups = statistics.compose(box.registry.snapshot())["reception"]?.array ?? []
        #expect(groups.count == 2 && groups[0]["values"] == ["packets": [3, 3]])
        #expect(groups[1].at("/values/packets") == [5, 5] && groups[1]["labels"] == ["session": "2"])
        // One that is gone is not told any more; one that is back counts from zero.
        box.counters["2"] = nil
        #expect(statistics.compose(box.registry.snapshot()) == [:])
        box.counters["2"] = Counters(packets: 6)
        #expect(statistics.compose(box.registry.snapshot()).at("/reception/0/values/packets") == [6, 6])
    }

    @Test func everythingIsToldFromTimeToTime() {
        let box = Box()
        var statistics = ReportStatistics()
        for number in 0..<121 {
            let isFull = statistics.compose(box.registry.snapshot()) != [:]
            #expect(isFull == (number % 60 == 0), "\(number)")
        }
    }

    @Test func groupsWithoutLabelsAreToldApart() {
        let registry = StatisticRegistry()
        var levels: [Int64] = [1, 2]
        for index in 0..<2 {
            registry.attach(StatisticGroup("screen", Counters.statistics) { Counters(level: levels[index]) })
        }
        var statistics = ReportStatistics()
        _ = statistics.compose(registry.snapshot())
        levels[1] = 5
        #expect(
            statistics.compose(registry.snapshot()) == ["screen": [["labels": [:], "values": ["level": 5]]]])
    }

    /// What is told in deltas is what was counted, whichever reports are made.
    @Test func deltasAddUp() {
        let box = Box()
        var (statistics, sum): (ReportStatistics, Int64) = (ReportStatistics(), 0)
        for step in 0..<200 as Range<Int64> {
            box.counters["1"]?.packets += step % 7
            let told = statistics.compose(box.registry.snapshot()).at("/reception/0/values/packets/1")
            sum += told?.integer ?? 0
        }
        #expect(sum == box.counters["1"]?.packets)
    }
}
