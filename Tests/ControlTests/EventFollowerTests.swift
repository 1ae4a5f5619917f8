// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing
import Time
import Venue

@testable import Control

struct EventFollowerTests {
    private func all(_ follower: inout EventFollower, _ log: EventLog) -> [EventFollower.Step] {
        var steps: [EventFollower.Step] = []
        while let step = follower.next(of: log) { steps.append(step) }
        return steps
    }

    private func sequences(_ steps: [EventFollower.Step]) -> [UInt64] {
        steps.compactMap { if case .event(let event) = $0 { event.sequence } else { nil } }
    }

    @Test func eachOnceAndInOrder() {
        var log = EventLog()
        for number in 0..<5 { log.append(number) }
        var follower = EventFollower(since: 2, of: log)
        #expect(sequences(all(&follower, log)) == [3, 4, 5])
        #expect(follower.next(of: log) == nil)
        log.append(5)
        #expect(sequences(all(&follower, log)) == [6])
    }

    @Test func snapshotComesFirstAndNothingTwice() {
        var log = EventLog()
        for number in 0..<5 { log.append(number) }
        var follower = EventFollower(since: nil, of: log)
        #expect(sequences([follower.next(of: log)].compactMap { $0 }) == [5])
        log.append(5)
        #expect(sequences(all(&follower, log)) == [6])
    }

    @Test func whatIsLostIsToldAtItsPlace() {
        var log = EventLog(capacity: 4)
        for number in 0..<10 { log.append(number) }
        var follower = EventFollower(since: 1, of: log)
        #expect(follower.next(of: log) == .dropped(5))
        // The reader was slow in between too.
        log.append(10)
        #expect(follower.next(of: log) == .dropped(1))
        #expect(sequences(all(&follower, log)) == [8, 9, 10, 11])
    }

    @Test func messagesHaveNoId() throws {
        #expect(String(decoding: EventFollower.Step.dropped(7).message, as: UTF8.self) == #"{"dropped":7}"#)
        var log = EventLog()
        log.append(0)
        let event = try #require(log.snapshot.first)
        let message = try JSONValue.parse(EventFollower.Step.event(event).message)
        #expect(message == ["event": event.json])
        #expect(try JSONValue.parse(HTTPAPI.greeting(of: log)) == ["next": 2])
    }
}
