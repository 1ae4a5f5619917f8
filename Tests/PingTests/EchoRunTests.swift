// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Ping

@Suite struct EchoRunTests {
    private func at(_ milliseconds: Int64) -> Monotonic { Monotonic(nanoseconds: milliseconds * 1_000_000) }

    @Test func requestsAreASecondApart() {
        var run = EchoRun(count: 3, now: at(500))
        #expect(run.step(at: at(500)) == .send(sequence: 1))
        #expect(run.step(at: at(501)) == .wait(until: at(1_500)))
        run.answered(1, at: at(502))
        #expect(run.step(at: at(1_500)) == .send(sequence: 2))
        run.failed(2, why: "host unreachable, says 10.0.0.1")
        #expect(run.step(at: at(2_600)) == .send(sequence: 3), "a loop that was late loses none")
        #expect(run.step(at: at(2_601)) == .wait(until: at(4_600)))
        run.answered(3, at: at(2_650))
        #expect(run.step(at: at(2_650)) == .over)
        #expect(
            run.outcomes == [
                .answered(after: .milliseconds(2)), .failed(why: "host unreachable, says 10.0.0.1"),
                .answered(after: .milliseconds(50)),
            ])
    }

    @Test func whatIsNotAnsweredEndsAsWell() {
        var run = EchoRun(count: 1, now: at(0))
        #expect(run.step(at: at(0)) == .send(sequence: 1))
        #expect(run.step(at: at(1_999)) == .wait(until: at(2_000)))
        #expect(run.step(at: at(2_000)) == .over && run.outcomes == [.unanswered])
        run.answered(1, at: at(2_001))
        #expect(run.outcomes == [.unanswered] && run.times.isEmpty, "too late")
    }

    @Test func onlyTheFirstReplyToARequestThatWasSentCounts() {
        var run = EchoRun(count: 2, now: at(0))
        #expect(run.step(at: at(0)) == .send(sequence: 1))
        for sequence in [0, -1, 2, 65_535, Int.max] { run.answered(sequence, at: at(1)) }
        #expect(run.outcomes == [.awaited])
        run.answered(1, at: at(3))
        run.answered(1, at: at(9))
        run.failed(1, why: "late")
        #expect(run.outcomes == [.answered(after: .milliseconds(3))])
    }

    @Test func theAnswerSumsUp() throws {
        var run = EchoRun(count: 3, now: at(0))
        _ = run.step(at: at(0))
        run.answered(1, at: Monotonic(nanoseconds: 61_234))
        _ = run.step(at: at(1_000))
        run.answered(2, at: at(1_001))
        _ = run.step(at: at(2_000))
        _ = run.step(at: at(9_000))
        let answer = PingAnswer(host: "gateway", address: "10.0.0.1", run: run).json
        #expect(PingAnswer.kind.accepts(answer))
        #expect(answer["probes"]?.array?.map { $0["outcome"] } == ["answered", "answered", "no answer"])
        #expect(answer.at("/probes/0/ms") == .number(0.061) && answer.at("/probes/2/ms") == nil)
        #expect(answer["sent"] == 3 && answer["answered"] == 2 && answer["meanMs"] == .number(0.53))
        #expect(answer["summary"] == "gateway (10.0.0.1): 3 sent, 2 answered, 0.061/0.53/1.0 ms")
        let silent = PingAnswer(host: "10.0.0.1", address: "10.0.0.1", run: EchoRun(count: 1, now: at(0))).json
        #expect(silent["summary"] == "10.0.0.1: 0 sent, 0 answered" && silent["minMs"] == nil)
    }
}
