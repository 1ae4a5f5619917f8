// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Collecting

@Suite struct IntakeQueueTests {
    @Test func comesInOrder() {
        var queue = IntakeQueue<Int>(limit: .seconds(1))
        for number in 0..<5_000 { #expect(queue.add(number, octets: number, behind: .zero) == true) }
        for number in 0..<5_000 { #expect(queue.next() == number && queue.count == 4_999 - number) }
        #expect(queue.next() == nil && queue.isEmpty && queue.delay == .zero)
    }

    /// Requests of 9 KiB that take 10 ms each: what would be handled later than after a second is not taken.
    @Test func takesWhatIsHandledInTime() {
        var queue = IntakeQueue<Int>(limit: .seconds(1))
        for number in 0..<200 {
            #expect(queue.add(number, octets: 9_216, behind: .zero) == true)
            _ = queue.next()
            queue.took(.milliseconds(10))
        }
        var taken = 0
        while taken < 1_000, queue.add(taken, octets: 9_216, behind: .zero) { taken += 1 }
        #expect((100...102).contains(taken), "\(taken)")
        #expect(queue.add(0, octets: 0, behind: .zero) == false)
        for _ in 0..<60 { _ = queue.next() }
        #expect(queue.add(0, octets: 9_216, behind: .milliseconds(590)) == true)
        #expect(queue.add(0, octets: 9_216, behind: .milliseconds(610)) == false)
        // The disk alone can be too much.
        while queue.next() != nil {}
        #expect(queue.add(0, octets: 1, behind: .milliseconds(1_001)) == false)
        #expect(queue.add(0, octets: 1, behind: .seconds(1)) == true)
    }

    @Test func boxesSendLessWhileMuchWaits() {
        var arrivals = Arrivals()
        var queue = Arrivals.Queue()
        func credit(_ unread: Nanoseconds) -> Arrivals.Decision {
            queue.unread = unread
            return arrivals.handle(box: "b", reports: 1, octets: 1, queue, now: Monotonic(nanoseconds: 0))
        }
        #expect(credit(.zero) == .take(credit: 100) && credit(.milliseconds(900)) == .take(credit: 20))
        #expect(credit(.seconds(9)) == .take(credit: 1), "what was taken in is handled")
    }
}
