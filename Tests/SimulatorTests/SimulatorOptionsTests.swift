// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Simulator

struct SimulatorOptionsTests {
    @Test func readsWhatTheHelpSays() throws {
        let words =
            "--boxes 5000 --url http://[::1]:99 --token-file t --interval 5 --seconds 60 --seed 9 --story outage --story roll-out --speed 60 --capacity 2500 --json"
        var expected = SimulatorOptions()
        expected.boxCount = 5_000
        expected.server = ReporterAddress(host: "::1", port: 99)
        expected.tokenFile = "t"
        expected.interval = .seconds(5)
        expected.duration = .seconds(60)
        expected.seed = 9
        expected.stories = [.outage, .rollout]
        expected.speed = 60
        expected.capacity = 2_500
        expected.isJSON = true
        #expect(SimulatorOptions.parse(words.split(separator: " ").map(String.init)) == .run(expected))
        #expect(expected.end == .seconds(3_660) && !expected.isWithoutFaults)
        for option in words.split(separator: " ") where option.hasPrefix("--") {
            #expect(SimulatorOptions.usage.contains("\(option) "))
        }
    }

    @Test func readsVenues() {
        let words = "--venues 100 --boxes 1000 --refresh 10 --token-file t --story access-point"
        var expected = SimulatorOptions()
        (expected.venueCount, expected.boxCount, expected.refresh) = (100, 1_000, .seconds(10))
        (expected.tokenFile, expected.stories) = ("t", [.accessPoint])
        #expect(SimulatorOptions.parse(words.split(separator: " ").map(String.init)) == .run(expected))
    }

    @Test(arguments: [
        ("--venues 1001", "--venues is '1001': expected 1 to 1000"), ("--refresh 0", "--refresh is '0'"),
        ("--venues 100 --boxes 9000", "expected 200000 boxes in all"),
        ("--venues 2 --story outage", "--story outage is not for --venues"),
        ("--venues 2 --capacity 9", "--capacity is not for --venues"),
        ("--boxes 0 --token-file t", "--boxes is '0': expected 1 to 20000"), ("--boxes", "--boxes needs a value"),
        ("--boxes 3", "--token-file FILE is missing"), ("--boxs 3", "'--boxs' is no option"),
        ("--story flood", "--story is 'flood': expected access-point, dead-switch, bad-channel, roll-out, outage"),
        ("--url https://127.0.0.1:1", "expected http://ADDRESS:PORT"), ("--url http://127.0.0.1", "--url is"),
        ("--url http://reporter.example:80", "--url is"), ("--speed 0", "--speed is '0'"),
    ])
    func refusesWithWhatItExpects(words: String, part: String) throws {
        guard case .refuse(let message) = SimulatorOptions.parse(words.split(separator: " ").map(String.init)) else {
            Issue.record("\(words) was taken")
            return
        }
        #expect(message.contains(part), "\(message)")
    }

    /// An hour at a hundred times the speed takes 36 s, and before and after it time is as it is.
    @Test func theClockIsFastInTheOutageOnly() {
        var clock = SimulatedClock(outage: .seconds(20)..<Nanoseconds.seconds(3_620), speed: 100)
        #expect(clock.lead == .seconds(3_564))
        for (real, simulated) in [(10, 10), (20, 20), (21, 120), (55, 3_520), (56, 3_620), (60, 3_624)]
            as [(Int64, Int64)]
        {
            clock.advance(to: .seconds(real))
            #expect(clock.simulated == .seconds(simulated))
        }
        var leap = SimulatedClock(outage: .seconds(20)..<Nanoseconds.seconds(3_620), speed: 100)
        leap.advance(to: .seconds(60))
        #expect(leap.simulated == .seconds(3_624))
    }

    @Test func latenciesAreCountedWithinFivePercent() {
        var tally = LatencyTally()
        for number in 1...1_000 as ClosedRange<Int64> { tally.count(.milliseconds(number)) }
        #expect((500...526).contains(tally.quantile(0.5).milliseconds))
        #expect((990...1_000).contains(tally.quantile(0.99).milliseconds))
        #expect(tally.longest == .milliseconds(1_000) && LatencyTally().quantile(0.5) == .zero)
    }

    @Test func theQueueGivesEachBoxAtItsTime() {
        var queue = DueQueue(boxCount: 100)
        var random = SystemRandomNumberGenerator()
        var times: [Int: Int64] = [:]
        for _ in 0..<1_000 {
            let (box, time) = (Int.random(in: 0..<100, using: &random), Int64.random(in: 1...50, using: &random))
            times[box] = time
            queue.set(box, to: Monotonic(nanoseconds: time))
        }
        var found: [(Int64, Int)] = []
        while let next = queue.pop(until: Monotonic(nanoseconds: 100)) {
            found.append((next.due.nanoseconds, next.box))
        }
        #expect(found.map(\.0) == times.values.sorted())
        #expect(found.allSatisfy { times[$0.1] == $0.0 } && found.count == times.count)
    }
}
