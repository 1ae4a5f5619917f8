// SPDX-License-Identifier: Apache-2.0
import Buffers
import TestSupport
import Testing

@Suite struct StateMailboxTests {
    private struct Reading: StateMessage, Equatable {
        var subject: Int
        var value: Int
    }

    @Test func everyMessageWhileThereAreFew() {
        let notified = Counter()
        let box = StateMailbox<Reading>(limit: 4) { notified.add() }
        #expect(box.takeAll().isEmpty)
        let readings = [(1, 10), (1, 11), (2, 20), (1, 12)].map { Reading(subject: $0, value: $1) }
        for reading in readings { box.post(reading) }
        #expect(box.takeAll() == readings && box.takeAll().isEmpty)
        #expect(notified.value == 4 && box.supersededCount == 0)
    }

    /// The newest of each subject stays, in the order of the newest ones, and what was left out is counted.
    @Test func aBurstLeavesTheNewestOfEach() {
        let box = StateMailbox<Reading>(limit: 4)
        for (subject, value) in [(1, 10), (2, 20), (1, 11), (3, 30), (2, 21)] {
            box.post(Reading(subject: subject, value: value))
        }
        let taken = box.takeAll()
        #expect(taken.map(\.subject) == [2, 1, 3, 2] && taken.map(\.value) == [20, 11, 30, 21])
        #expect(box.supersededCount == 1)
    }

    /// More subjects than the limit: all of them are kept, and the work stays in proportion.
    @Test func moreSubjectsThanTheLimit() {
        let box = StateMailbox<Reading>(limit: 16)
        for value in 0..<100_000 { box.post(Reading(subject: value % 100, value: value)) }
        let taken = box.takeAll()
        #expect((100...200).contains(taken.count), "\(taken.count)")
        var last: [Int: Int] = [:]
        for reading in taken { last[reading.subject] = reading.value }
        #expect(last == Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, 99_900 + $0) }))
        #expect(box.supersededCount + taken.count == 100_000)
    }

    /// 10⁵ reports in a burst lose no state, whoever posts and however late they are taken.
    @Test(.timeLimit(.minutes(1))) func aBurstFromManyThreads() async {
        let box = StateMailbox<Reading>(limit: 64)
        func burst(_ writer: Int) -> @Sendable () -> Void {
            { for value in 0..<25_000 { box.post(Reading(subject: writer * 8 + value % 8, value: value)) } }
        }
        await onThreads(burst(0), burst(1), burst(2), burst(3))
        var last: [Int: Int] = [:]
        var isInOrder = true
        let taken = box.takeAll()
        for reading in taken {
            if let before = last[reading.subject], before >= reading.value { isInOrder = false }
            last[reading.subject] = reading.value
        }
        #expect(isInOrder && taken.count <= 64 + 1)
        #expect(last == Dictionary(uniqueKeysWithValues: (0..<32).map { ($0, 24_992 + $0 % 8) }))
        #expect(box.supersededCount + taken.count == 100_000)
    }
}
