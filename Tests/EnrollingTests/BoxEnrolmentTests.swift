// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Enrolling

@Suite struct BoxEnrolmentTests {
    private var now = Monotonic(nanoseconds: 1_000_000_000_000)
    private var random = SplitMix64(seed: 3)
    private var box = BoxEnrolment()

    /// Goes on to the next request.
    private mutating func request() throws -> (number: UInt64, nonce: String?) {
        for _ in 0..<4 {
            switch box.next(at: now, &random) {
            case .wait(let until): now = until
            case .askNonce(let number): return (number, nil)
            case .ask(let number, let nonce): return (number, nonce)
            case .none: throw World.Unexpected()
            }
        }
        throw World.Unexpected()
    }

    private mutating func ask(_ answer: BoxEnrolment.Answer, retryAfter: Int64? = nil) throws {
        let first = try request()
        #expect(first.nonce == nil)
        box.answered(first.number, .nonce("n"), at: now, &random)
        let second = try request()
        #expect(second.nonce == "n")
        box.answered(second.number, answer, retryAfter: retryAfter, at: now, &random)
    }

    @Test mutating func asksUntilItIsEnrolled() throws {
        #expect(box.next(at: now, &random) == .none && !box.isUnderWay)
        box.require("401", at: now)
        #expect(box.isUnderWay)
        try ask(.pending(why: "it has no token"))
        #expect(box.state == .pending(why: "it has no token"))
        let before = now
        try ask(.pending(why: "it has no token"), retryAfter: 60)
        #expect(now - before >= .milliseconds(2_500))
        guard case .wait(let until) = box.next(at: now, &random) else { return #expect(Bool(false)) }
        #expect(until - now >= .seconds(65))
        try ask(.enrolled)
        #expect(box.state == .enrolled && box.next(at: now, &random) == .none)
        box.require("its credential was revoked", at: now)
        try ask(.refused(why: "stolen"))
        #expect(box.state == .refused(why: "stolen") && box.isUnderWay)
    }

    @Test mutating func waitsLongerAndLongerAndNotForEver() throws {
        box.require(nil, at: now)
        var waits: [Nanoseconds] = []
        for _ in 0..<14 {
            let number = try request().number
            let before = now
            box.answered(number, .failed(why: "500"), at: now, &random)
            guard case .wait(let until) = box.next(at: now, &random) else { return #expect(Bool(false)) }
            waits.append(until - before)
        }
        #expect(waits[0] <= .seconds(1) && waits[5] > .seconds(10))
        #expect(waits.allSatisfy { $0 <= BoxEnrolment.longest } && waits[13] >= .seconds(150))
        #expect(box.problem == "500")
    }

    @Test mutating func anAnswerThatIsLostOrLateCountsForNothing() throws {
        box.require(nil, at: now)
        let lost = try request().number
        #expect(box.next(at: now, &random) == .wait(until: now + BoxEnrolment.longestRequest))
        now += BoxEnrolment.longestRequest
        let next = try request()
        #expect(next.number == lost + 1 && box.problem == "no answer in time")
        box.answered(lost, .enrolled, at: now, &random)
        #expect(box.state == .asking)
        box.answered(next.number, .nonce("n"), at: now, &random)
        box.answered(next.number, .enrolled, at: now, &random)
        #expect(box.state == .asking)
    }
}
