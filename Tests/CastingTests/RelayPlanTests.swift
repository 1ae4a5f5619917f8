// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time
import Venue

@testable import Casting

@Suite struct RelayPlanTests {
    private func plan(_ line: String) throws -> RelayPlan {
        switch RelayPlan.parse(line.split(separator: " ").map(String.init)) {
        case .run(let plan): return plan
        case .printHelp, .refuse: throw Refused(answer: RelayPlan.parse(line.split(separator: " ").map(String.init)))
        }
    }

    private struct Refused: Error { let answer: RelayPlan.Parsed }

    private static let flow = "--from 239.1.1.1:5004 --to 239.1.1.2:6004"

    @Test func portsFollowTheirOrder() throws {
        let plan = try plan(
            "--from 239.1.1.1:5004,5006,5008 --to 239.1.1.2:6004 --from 239.1.1.9:7000 --to [FF15::0:1]:7001 "
                + "--second-from 239.2.1.1:5004,5006 --second-to 239.2.1.2:80,90")
        let expected = [
            "239.1.1.1:5004 239.1.1.2:6004 0", "239.1.1.1:5006 239.1.1.2:6006 0", "239.1.1.1:5008 239.1.1.2:6008 0",
            "239.1.1.9:7000 [ff15::1]:7001 0", "239.2.1.1:5004 239.2.1.2:80 1", "239.2.1.1:5006 239.2.1.2:90 1",
        ]
        #expect(plan.flows.map { "\($0.from.text) \($0.to.text) \($0.path)" } == expected)
    }

    @Test func conditionsAreRead() throws {
        let plan = try plan(
            Self.flow + " --loss 5% --burst 8 --reorder 0.01 --duplicate 1.5% --hold 7ms --corrupt 0.1% --delay 1.5s "
                + "--jitter 30ms --outage 300ms --every 2s --seed 7 --ledger - --seconds 9 --interface lo --hops 3")
        var expected = ImpairmentConditions()
        (expected.loss, expected.meanBurst, expected.reorder, expected.duplicate) = (0.05, 8, 0.01, 0.015)
        (expected.hold, expected.corrupt, expected.delay) = (.milliseconds(7), 0.001, .milliseconds(1_500))
        expected.jitter = .milliseconds(30)
        expected.outage = .init(length: .milliseconds(300), period: .seconds(2))
        #expect(plan.conditions == expected)
        #expect(plan.seed == 7 && plan.ledger == "-" && plan.duration == .seconds(9) && plan.hops == 3)
        #expect(plan.interface == "lo" && plan.outInterface == nil)
    }

    static let refusals: [(String, String)] = [
        ("", "--from GROUP:PORT is missing"),
        ("--from", "--from needs GROUP:PORT[,PORT...] like 239.1.1.1:5004,5006 or [ff15::1]:5004"),
        ("--from 239.1.1.1:5004", "--from is there 1 times and --to 0 times"),
        (
            "--from venue:5004 --to 239.1.1.2:1",
            "--from is 'venue:5004'; expected GROUP:PORT[,PORT...] like 239.1.1.1:5004,5006 or [ff15::1]:5004"
        ),
        ("--from 239.1.1.1:1,2,3 --to 239.1.1.2:1,2", "--to has 2 ports; expected 1 or the 3 of --from"),
        (
            "--from 239.1.1.1:1,3 --to 239.1.1.2:65534",
            "--to is '239.1.1.2:65534'; expected a port that leaves room for the others"
        ),
        (
            "--from 239.1.1.1:1 --to 239.1.1.1:1",
            "--to is '239.1.1.1:1'; expected a group and port that is not heard as well"
        ),
        (flow + " --loss 5x", "--loss is '5x'; expected a share like 5% or 0.05, 0...100%"),
        (flow + " --loss 101%", "--loss is '101%'; expected a share like 5% or 0.05, 0...100%"),
        (flow + " --loss nan", "--loss is 'nan'; expected a share like 5% or 0.05, 0...100%"),
        (flow + " --loss -1", "--loss is '-1'; expected a share like 5% or 0.05, 0...100%"),
        (
            flow + " --loss 80% --burst 2",
            "--loss is '80.0%'; expected at most 66.66666666666666% in bursts of 2.0, or 100%"
        ),
        (flow + " --burst 0.5", "--burst is '0.5'; expected a number, 1...1000"),
        (flow + " --delay 20", "--delay is '20'; expected a time like 20ms or 1.5s, 0...1h"),
        (flow + " --delay 2h", "--delay is '2h'; expected a time like 20ms or 1.5s, 0...1h"),
        (flow + " --outage 1s", "--outage needs --every"),
        (flow + " --every 1s", "--every says nothing without --outage"),
        (flow + " --outage 1s --every 1s", "--every is '1000ms'; expected at least twice the --outage, which is not 0"),
        (flow + " --seed x", "--seed is 'x'; expected an integer, 0...18446744073709551615"),
        (flow + " --lost 5%", "'--lost' is no option of relay; --help lists them"),
    ]

    @Test(arguments: refusals) func refusalsNameOptionValueAndExpectation(line: String, expected: String) {
        let words = line.split(separator: " ").map(String.init)
        #expect(RelayPlan.parse(words) == .refuse(expected))
    }

    @Test func helpNamesEachOption() {
        #expect(RelayPlan.parse(["--loss", "5%", "--help"]) == .printHelp)
        for option in [
            "--from", "--to", "--second-from", "--second-to", "--interface", "--out", "--hops", "--loss", "--burst",
            "--reorder", "--duplicate", "--hold", "--corrupt", "--delay", "--jitter", "--outage", "--every", "--seed",
            "--ledger", "--seconds",
        ] {
            #expect(RelayPlan.usage.contains("\(option)"), "\(option)")
        }
    }

    @Test func noWordsTrap() {
        let options = [
            "--from", "--to", "--second-to", "--loss", "--burst", "--delay", "--outage", "--every", "--seconds",
        ]
        let values = ["", "%", ".", "ms", "9e99s", "999999999999999999s", "[]:1", ":", "1.2.3.4:,", "-0", "é", "0"]
        for seed in Effort.seeds(2_000) {
            var random = SplitMix64(seed: seed)
            let words = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
                (Bool.random(using: &random) ? options : values).randomElement(using: &random) ?? ""
            }
            _ = RelayPlan.parse(words)
        }
    }

    @Test func totalsAreLinesOfJSON() throws {
        let plan = try plan(Self.flow)
        var ledger = RelayLedger()
        ledger.received = 9
        let line = String(decoding: plan.total(0, ledger, kernelDrops: 1, refused: 2), as: UTF8.self)
        #expect(
            line.hasSuffix("}\n") && line.contains("\"received\":9") && line.contains("\"from\":\"239.1.1.1:5004\""))
        let record = RelayRecord(kind: .dropped, flow: 0, number: 4, sequence: nil)
        #expect(String(decoding: record.line, as: UTF8.self) == "{\"event\":\"dropped\",\"flow\":0,\"number\":4}\n")
    }
}
