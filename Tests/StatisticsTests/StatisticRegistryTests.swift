// SPDX-License-Identifier: Apache-2.0
import JSON
import Testing

@testable import Statistics

/// Counters of an engine that exists for these tests.
struct EngineCounters: Sendable {
    var packets: Int64 = 0
    var lost: UInt64 = 0
    var delayUs: Int64 = 0
    var mode: Int64 = 0
    var device: String? = "hw:0"
    var turnUs = Histogram(upTo: [100, 1_000])

    static let statistics: [Statistic<Self>] = [
        .counter("packets", \.packets, "packets", "Packets that came.", .page),
        .counter("lost", \.lost, "packets", "Packets that did not come.", [.fault, .page]),
        .gauge("delayUs", \.delayUs, .microseconds, "Delay of the last."),
        .state("mode", \.mode, ["off", "on"], "What it does."),
        .text("device", \.device, "Where it goes."),
        .histogram("turnUs", \.turnUs, .microseconds, "How long its turns take."),
    ]
}

@Suite struct StatisticRegistryTests {
    @Test func readsGroupsWhileTheyAreAttached() {
        let registry = StatisticRegistry()
        var counters = EngineCounters()
        let group = StatisticGroup("engine", labels: ["session": "7"], EngineCounters.statistics) { counters }
        registry.attach(group)
        counters.packets = 5
        counters.lost = .max
        let found = registry.snapshot().group("engine", ["session": "7"])
        #expect(found?["packets"] == .integer(5))
        #expect(found?["lost"] == .integer(.max))
        #expect(registry.snapshot().group("engine", ["session": "8"]) == nil)
        registry.detach(group)
        #expect(registry.snapshot().groups.isEmpty)
    }

    @Test func whatIsNotCountedIsNotThere() {
        let registry = StatisticRegistry()
        var counters: EngineCounters? = EngineCounters()
        counters?.device = nil
        registry.attach(StatisticGroup("engine", EngineCounters.statistics) { counters })
        #expect(
            registry.snapshot().groups.first?.json.object?.keys.sorted() == [
                "delayUs", "lost", "mode", "packets", "turnUs",
            ])
        counters = nil
        #expect(registry.snapshot().groups.isEmpty)
    }

    @Test func membersStandWhereTheirPathSays() {
        let statistics: [Statistic<Int64>] = ["first", "second"].map { name in
            Statistic("faults", .counter, "faults", "Faults.") { .integer($0) }
                .labelled("indicator", name, at: "indicators", name, "total")
        }
        #expect(statistics.json(of: 3) == ["indicators": ["first": ["total": 3], "second": ["total": 3]]])
    }

    @Test func valuesThatNobodyCanSayYetAreNull() {
        let statistics = [Statistic<Int>("loss", .gauge, .partsPerMillion, "Loss.") { _ in .unknown }]
        #expect(statistics.json(of: 0) == ["loss": .null])
    }

    @Test func oneGroupReadsEnginesThatComeAndGo() {
        let registry = StatisticRegistry()
        var screens = ["A", "B"]
        registry.attach(
            StatisticGroup("screen", each: EngineCounters.statistics) {
                screens.map { (["connector": $0], EngineCounters()) }
            })
        #expect(registry.snapshot().groups.map(\.labels) == [["connector": "A"], ["connector": "B"]])
        screens = []
        #expect(registry.snapshot().groups.isEmpty)
    }

    /// A sample is what a snapshot makes, whatever has a value and wherever it stands.
    @Test func aSampleIsTheSnapshot() throws {
        let registry = StatisticRegistry()
        func sample() throws -> JSONValue {
            var octets: [UInt8] = []
            registry.sample(to: &octets)
            return try JSONValue.parse(octets)
        }
        #expect(try sample() == [])
        var nested: [Statistic<Int64>] = ["first", "\"second\""].flatMap { name in
            ["total", "last"].map { key in
                Statistic("faults", .counter, "faults", "Faults.") { $0 == 0 ? nil : .integer($0) }
                    .labelled("indicator", name, at: "indicators", name, key)
            }
        }
        nested.insert(Statistic("between", .text, .none, "Text.") { $0 == 1 ? .text("\"\n") : nil }, at: 1)
        nested.insert(Statistic("loss", .gauge, .partsPerMillion, "Loss.") { _ in .unknown }, at: 0)
        var values: [Int64] = []
        var counters: EngineCounters? = EngineCounters()
        registry.attach(StatisticGroup("engine", labels: ["session": "7"], EngineCounters.statistics) { counters })
        registry.attach(
            StatisticGroup("nested", each: nested) { values.map { (["value": "\($0)"], $0) } })
        for (new, device) in [([], "hw:0"), ([0], nil), ([1, -5], "hw:1"), ([0, 0, 7], "x")] as [([Int64], String?)] {
            values = new
            counters?.device = device
            let expected = registry.snapshot().groups.map { group -> JSONValue in
                [
                    "name": .string(group.name), "labels": .object(group.labels.mapValues { .string($0) }),
                    "values": group.json,
                ]
            }
            #expect(try sample() == .array(expected))
        }
        counters = nil
        #expect(try sample().array?.count == 3)
    }

    @Test func aDescriptionSaysEverythingButTheValue() {
        let mode = EngineCounters.statistics[3].about
        #expect(
            mode.json == [
                "kind": "gauge", "unit": "", "help": "What it does.", "isFault": false, "isOnPage": false,
                "states": ["off", "on"],
            ])
    }
}
