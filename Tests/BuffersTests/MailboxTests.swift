// SPDX-License-Identifier: Apache-2.0
import Buffers
import TestSupport
import Testing

@Suite struct MailboxTests {
    @Test func keepsOrderUpToItsLimit() {
        let notified = Counter()
        let box = Mailbox<Int>(limit: 3) { notified.add() }
        #expect(box.takeAll().isEmpty)
        #expect((0..<5).map { box.post($0) } == [true, true, true, false, false])
        #expect(notified.value == 3, "a refused message wakes nobody")
        #expect(box.takeAll() == [0, 1, 2])
        #expect(box.takeAll().isEmpty)
        #expect(box.post(9) && box.takeAll() == [9])
    }

    @Test func messagesAreTakenInPlaceOfThoseBefore() {
        let box = Mailbox<Int>(limit: 3)
        var taken = [7]
        box.takeAll(into: &taken)
        #expect(taken == [])
        for round in 0..<3 {
            for number in 0..<4 { box.post(round * 10 + number) }
            box.takeAll(into: &taken)
            #expect(taken == [round * 10, round * 10 + 1, round * 10 + 2])
        }
        #expect(box.post(5) && box.takeAll() == [5])
    }

    /// What makes taking and posting free of allocations: both arrays stay as large as they once were.
    @Test func roomIsKept() {
        let box = Mailbox<Int>()
        var taken: [Int] = []
        for _ in 0..<2 {
            for number in 0..<100 { box.post(number) }
            box.takeAll(into: &taken)
        }
        for number in 0..<4 {
            box.post(number)
            box.takeAll(into: &taken)
            #expect(taken == [number] && taken.capacity >= 100)
        }
    }

    /// The reader is woken after the message can be taken, not before.
    @Test(.timeLimit(.minutes(1))) func notifiesAfterKeeping() async {
        let wakeup = Wakeup()
        let box = Mailbox<Int>(limit: 10_000) { wakeup.signal() }
        let late = Counter()
        await onThreads(
            { for number in 0..<10_000 { box.post(number) } },
            {
                var expected = 0
                while expected < 10_000 {
                    guard wakeup.wait(until: .init(nanoseconds: .max)) else { continue }
                    for message in box.takeAll() {
                        if message != expected { late.add() }
                        expected += 1
                    }
                }
            })
        #expect(late.value == 0)
    }

    @Test func manyWriters() async {
        let box = Mailbox<Int>(limit: 100_000)
        await onThreads(
            { for number in 0..<1_000 { box.post(number) } },
            { for number in 1_000..<2_000 { box.post(number) } },
            { for number in 2_000..<3_000 { box.post(number) } })
        let messages = box.takeAll()
        #expect(messages.sorted() == Array(0..<3_000))
        for writer in 0..<3 {
            let own = messages.filter { $0 / 1_000 == writer }
            #expect(own == own.sorted())
        }
    }
}
