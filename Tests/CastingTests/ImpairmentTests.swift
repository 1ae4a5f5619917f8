// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Casting

@Suite struct ImpairmentTests {
    struct Passed: Equatable {
        var flow: Int
        var number: Int
        var due: Nanoseconds
        var bytes: [UInt8]
    }

    private static let start = Monotonic(nanoseconds: 5_000_000_000)

    /// RTP with its number in the payload, 1 ms apart.
    private static func datagram(_ number: Int) -> [UInt8] {
        let sequence = UInt16(truncatingIfNeeded: number)
        let payload = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) }
        return [0x80, 33, UInt8(sequence >> 8), UInt8(sequence & 0xff), 0, 0, 0, 0, 1, 2, 3, 4] + payload
    }

    private static func number(_ bytes: [UInt8]) -> Int { bytes[12..<16].reduce(0) { $0 << 8 | Int($1) } }

    private func run(
        _ impairment: inout Impairment, count: Int, flows: Int = 1, spacing: Nanoseconds = .milliseconds(1)
    ) -> [Passed] {
        var passed: [Passed] = []
        func take(_ now: Monotonic) {
            impairment.takeDue(at: now) { bytes, flow, due in
                passed.append(
                    Passed(flow: flow, number: Self.number(Array(bytes)), due: due - Self.start, bytes: Array(bytes)))
            }
        }
        for number in 0..<count {
            let now = Self.start + spacing * Int64(number)
            take(now)
            for flow in 0..<flows {
                Self.datagram(number).withUnsafeBytes { impairment.received($0, flow: flow, at: now) }
            }
        }
        while let due = impairment.nextDue { take(due) }
        return passed
    }

    private static var everything: ImpairmentConditions {
        var conditions = ImpairmentConditions()
        conditions.loss = 0.05
        conditions.meanBurst = 8
        conditions.reorder = 0.02
        conditions.duplicate = 0.02
        conditions.corrupt = 0.01
        conditions.delay = .milliseconds(30)
        conditions.jitter = .milliseconds(15)
        return conditions
    }

    @Test func nothingIsDoneUnlessAsked() {
        var impairment = Impairment(ImpairmentConditions(), seed: 1, isRecording: true)
        let passed = run(&impairment, count: 500)
        #expect(passed.map(\.number) == Array(0..<500))
        #expect(passed.allSatisfy { $0.due == .milliseconds(Int64($0.number)) })
        var expected = RelayLedger()
        (expected.received, expected.sent) = (500, 500)
        #expect(impairment.ledgers == [expected])
        #expect(impairment.records.isEmpty)
    }

    @Test(arguments: [1, 7, UInt64.max]) func theSameSeedDoesTheSame(seed: UInt64) {
        var first = Impairment(Self.everything, seed: seed, paths: [0, 0, 1], isRecording: true)
        var second = Impairment(Self.everything, seed: seed, paths: [0, 0, 1], isRecording: true)
        var other = Impairment(Self.everything, seed: seed &+ 1, paths: [0, 0, 1], isRecording: true)
        let passed = run(&first, count: 2_000, flows: 3)
        #expect(passed == run(&second, count: 2_000, flows: 3))
        #expect(first.ledgers == second.ledgers && first.records == second.records)
        #expect(passed != run(&other, count: 2_000, flows: 3))
    }

    /// What comes out is what the ledger says, and nothing else.
    @Test(arguments: Effort.seeds(200)) func theLedgerIsTheTruth(seed: UInt64) {
        var impairment = Impairment(Self.everything, seed: seed, paths: [0, 1], isRecording: true)
        let count = 600
        let passed = run(&impairment, count: count, flows: 2)
        let records = impairment.takeRecords()
        for flow in 0...1 {
            let ledger = impairment.ledgers[flow]
            // A turned bit may be in the number: what was corrupted is left out of the comparison by number.
            let own = records.filter { $0.flow == flow }
            let numbers = { (kind: RelayRecord.Kind) in own.filter { $0.kind == kind }.map { Int($0.number) } }
            let corrupted = Set(numbers(.corrupted))
            let seen = passed.filter { $0.flow == flow && $0.number < count && $0.bytes == Self.datagram($0.number) }
                .map(\.number)
            let dropped = Set(numbers(.dropped))
            let expected = Set(0..<count).subtracting(dropped).subtracting(corrupted)
            #expect(Set(seen).subtracting(corrupted).symmetricDifference(expected).sorted() == [])
            #expect(dropped.count == Int(ledger.dropped))
            #expect(numbers(.duplicated).count == Int(ledger.duplicated))
            #expect(numbers(.reordered).count == Int(ledger.reordered))
            #expect(corrupted.count == Int(ledger.corrupted))
            #expect(ledger.received == Int64(count))
            #expect(ledger.received + ledger.duplicated == ledger.sent + ledger.dropped)
            #expect(passed.count { $0.flow == flow } == Int(ledger.sent))
            #expect(ledger.delayed == ledger.received - ledger.dropped)
            let runs = dropped.count { !dropped.contains($0 - 1) }
            #expect(runs == Int(ledger.bursts))
            for record in own where !corrupted.contains(Int(record.number)) {
                #expect(record.sequence == UInt16(truncatingIfNeeded: record.number))
            }
        }
        let dues = passed.map(\.due)
        #expect(dues == dues.sorted())
    }

    @Test(arguments: [(0.05, 8.0), (0.05, nil), (0.2, 3.0), (0.01, 20.0)] as [(Double, Double?)])
    func lossAndBurstsAreAsAskedFor(rate: Double, meanBurst: Double?) {
        var conditions = ImpairmentConditions()
        conditions.loss = rate
        conditions.meanBurst = meanBurst
        var impairment = Impairment(conditions, seed: 11)
        _ = run(&impairment, count: 200_000)
        let ledger = impairment.ledgers[0]
        let burst = Double(ledger.dropped) / Double(max(1, ledger.bursts))
        let expected = meanBurst ?? 1 / (1 - rate)
        // Three deviations: bursts come and end by chance.
        let deviation = 1 / (Double(max(1, ledger.bursts))).squareRoot()
        #expect(abs(burst - expected) < expected * deviation * 3)
        #expect(abs(ledger.lossRate - rate) < rate * deviation * 3 * 2.0.squareRoot())
    }

    @Test func allAndNothingAreLost() {
        var conditions = ImpairmentConditions()
        for (loss, burst) in [(0.0, nil), (1.0, nil), (1.0, 8.0)] as [(Double, Double?)] {
            conditions.loss = loss
            conditions.meanBurst = burst
            var impairment = Impairment(conditions, seed: 3)
            #expect(run(&impairment, count: 1_000).count == (loss == 0 ? 1_000 : 0))
        }
    }

    /// Media and its repair are on one radio: a burst takes from both.
    @Test func aBurstTakesFromAllFlowsOfItsPath() {
        var conditions = ImpairmentConditions()
        conditions.loss = 0.1
        conditions.meanBurst = 20
        var impairment = Impairment(conditions, seed: 5, paths: [0, 0, 1], isRecording: true)
        _ = run(&impairment, count: 5_000, flows: 3)
        let dropped = (0..<3).map { flow in
            Set(impairment.records.filter { $0.kind == .dropped && $0.flow == flow }.map(\.number))
        }
        #expect(dropped[0].intersection(dropped[1]).count > dropped[0].count * 8 / 10)
        #expect(dropped[0].intersection(dropped[2]).count < dropped[0].count * 3 / 10)
    }

    @Test func outagesTakeTurns() {
        var conditions = ImpairmentConditions()
        conditions.outage = .init(length: .milliseconds(400), period: .milliseconds(1_000))
        var impairment = Impairment(conditions, seed: 1, paths: [0, 1], isRecording: true)
        let passed = run(&impairment, count: 10_000, flows: 2)
        #expect(Set(passed.map(\.number)) == Set(0..<10_000))  // always one of the two
        #expect(impairment.ledgers.allSatisfy { $0.dropped == 4_000 && $0.outages == 4_000 })
        #expect(impairment.ledgers.allSatisfy { $0.longestBurst == 400 })
    }

    @Test func jitterKeepsTheOrderAndHoldingBackDoesNot() {
        var conditions = ImpairmentConditions()
        conditions.delay = .milliseconds(10)
        conditions.jitter = .milliseconds(50)
        var impairment = Impairment(conditions, seed: 2)
        let passed = run(&impairment, count: 2_000)
        #expect(passed.map(\.number) == Array(0..<2_000))
        #expect(
            passed.allSatisfy { passed in
                let wait = passed.due - .milliseconds(Int64(passed.number))
                return wait >= .milliseconds(10) && wait <= .milliseconds(60)
            })
        conditions = ImpairmentConditions()
        conditions.reorder = 0.1
        conditions.hold = .milliseconds(5)
        impairment = Impairment(conditions, seed: 2)
        let disordered = run(&impairment, count: 2_000)
        #expect(disordered.map(\.number) != Array(0..<2_000))
        #expect(disordered.map(\.number).sorted() == Array(0..<2_000))
        #expect((150...250).contains(impairment.ledgers[0].reordered))
    }

    /// What one condition does it does whatever the others are.
    @Test func conditionsDoNotDisturbEachOther() {
        func dropped(_ change: (inout ImpairmentConditions) -> Void) -> [Int64] {
            var conditions = ImpairmentConditions()
            conditions.loss = 0.1
            change(&conditions)
            var impairment = Impairment(conditions, seed: 9, isRecording: true)
            _ = run(&impairment, count: 1_000)
            return impairment.records.filter { $0.kind == .dropped }.map(\.number)
        }
        let plain = dropped { _ in }
        #expect(plain.count > 50)
        #expect(plain == dropped { $0.duplicate = 0.5 })
        #expect(plain == dropped { $0.jitter = .milliseconds(9) })
    }

    @Test func emptyDatagramsPass() {
        var conditions = ImpairmentConditions()
        conditions.corrupt = 1
        var impairment = Impairment(conditions, seed: 1, isRecording: true)
        impairment.received(UnsafeRawBufferPointer(start: nil, count: 0), flow: 0, at: Self.start)
        var sent = 0
        impairment.takeDue(at: Self.start) { bytes, _, _ in sent += bytes.isEmpty ? 1 : 100 }
        #expect(sent == 1 && impairment.ledgers[0].corrupted == 0)
    }
}
