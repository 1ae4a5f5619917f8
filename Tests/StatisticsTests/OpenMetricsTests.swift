// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Statistics

@Suite struct OpenMetricsTests {
    private func text(_ groups: [StatisticGroup]) -> String {
        let registry = StatisticRegistry()
        for group in groups { registry.attach(group) }
        return registry.snapshot().openMetrics(prefix: "box")
    }

    @Test func nothingIsAnEmptyDocument() { #expect(text([]) == "# EOF\n") }

    @Test func familiesHaveTypeUnitHelpAndSamples() {
        var counters = EngineCounters(packets: 12, lost: 1, delayUs: -1_500, mode: 1)
        counters.turnUs.count(50)
        counters.turnUs.count(2_000)
        let group = StatisticGroup("myEngine", labels: ["session": "7"], EngineCounters.statistics) { counters }
        #expect(
            text([group]) == """
                # TYPE box_my_engine_packets counter
                # UNIT box_my_engine_packets packets
                # HELP box_my_engine_packets Packets that came.
                box_my_engine_packets_total{session="7"} 12
                # TYPE box_my_engine_lost_packets counter
                # UNIT box_my_engine_lost_packets packets
                # HELP box_my_engine_lost_packets Packets that did not come.
                box_my_engine_lost_packets_total{session="7"} 1
                # TYPE box_my_engine_delay_seconds gauge
                # UNIT box_my_engine_delay_seconds seconds
                # HELP box_my_engine_delay_seconds Delay of the last.
                box_my_engine_delay_seconds{session="7"} -0.0015
                # TYPE box_my_engine_mode gauge
                # HELP box_my_engine_mode What it does.
                box_my_engine_mode{session="7"} 1
                # TYPE box_my_engine_device info
                # HELP box_my_engine_device Where it goes.
                box_my_engine_device_info{session="7",value="hw:0"} 1
                # TYPE box_my_engine_turn_seconds histogram
                # UNIT box_my_engine_turn_seconds seconds
                # HELP box_my_engine_turn_seconds How long its turns take.
                box_my_engine_turn_seconds_bucket{le="0.0001",session="7"} 1
                box_my_engine_turn_seconds_bucket{le="0.001",session="7"} 1
                box_my_engine_turn_seconds_bucket{le="+Inf",session="7"} 2
                box_my_engine_turn_seconds_count{session="7"} 2
                box_my_engine_turn_seconds_sum{session="7"} 0.00205
                # EOF

                """)
    }

    /// Samples of a family that lie apart are refused by parsers.
    @Test func samplesOfOneFamilyStandTogether() {
        let groups = ["1", "2"].map { session in
            StatisticGroup("engine", labels: ["session": session], EngineCounters.statistics) { EngineCounters() }
        }
        let lines = text(groups).split(separator: "\n").filter { !$0.hasPrefix("#") }
        let families = lines.map { $0.prefix { $0 != "{" } }.filter { !$0.contains("_turn_") }
        #expect(zip(families.enumerated(), families.dropFirst()).allSatisfy { $0.offset % 2 == 1 || $0.element == $1 })
        #expect(families.count == 10)
    }

    @Test func textIsEscaped() {
        let statistics = [
            Statistic<String>("name", .text, .none, "A \\ and \"\nmore") { .text($0) }
        ]
        let group = StatisticGroup("engine", statistics) { "a\\b\"c\nd ü" }
        #expect(
            text([group]) == #"""
                # TYPE box_engine_name info
                # HELP box_engine_name A \\ and \"\nmore
                box_engine_name_info{value="a\\b\"c\nd ü"} 1
                # EOF

                """#)
    }

    @Test func whatIsNotKnownIsLeftOut() {
        let statistics = [Statistic<Int>("loss", .gauge, .partsPerMillion, "Loss.") { _ in .unknown }]
        #expect(text([StatisticGroup("engine", statistics) { 0 }]) == "# EOF\n")
    }

    /// Not in the attribute: Swift 6.0.3 crashes over closures in a macro's arguments.
    private static let named: [(Statistic<Int>, String)] = [
        (Statistic<Int>("clockDriftPPB", .gauge, .partsPerBillion, "") { .integer(Int64($0)) }, "clock_drift_ratio"),
        (Statistic<Int>("octets", .counter, .octets, "") { .integer(Int64($0)) }, "bytes"),
        (Statistic<Int>("videoOctets", .counter, .octets, "") { .integer(Int64($0)) }, "video_bytes"),
        (Statistic<Int>("bitsPerSecond", .gauge, .bitsPerSecond, "") { .integer(Int64($0)) }, "bits_per_second"),
        (Statistic<Int>("peakCentidecibels", .gauge, .centidecibels, "") { .integer(Int64($0)) }, "peak_decibels"),
        (Statistic<Int>("worstPCRNs", .gauge, .nanoseconds, "") { .integer(Int64($0)) }, "worst_pcr_seconds"),
        (Statistic<Int>("seconds", .counter, .seconds, "") { .integer(Int64($0)) }, "seconds"),
        (Statistic<Int>("framesTotal", .counter, "frames", "") { .integer(Int64($0)) }, "frames"),
    ]

    @Test(arguments: named)
    func namesEndInTheUnit(_ statistic: Statistic<Int>, _ stem: String) {
        #expect(StatisticSnapshot.stem(statistic.about) == stem)
    }

    @Test(
        arguments: [
            (0, 6, "0"), (1, 6, "0.000001"), (-1_500, 3, "-1.5"), (1_000_000, 6, "1"), (7, 0, "7"),
            (Int64.min, 9, "-9223372036.854775808"), (Int64.max, 3, "9223372036854775.807"),
        ] as [(Int64, Int, String)])
    func decimalsAreExact(_ value: Int64, _ decimals: Int, _ text: String) {
        #expect(StatisticSnapshot.decimal(value, decimals) == text)
    }
}
