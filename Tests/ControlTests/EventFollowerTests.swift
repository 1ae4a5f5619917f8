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
        var follower = EventFollower(EventPlace(since: 2), of: log)
        #expect(sequences(all(&follower, log)) == [3, 4, 5])
        #expect(follower.next(of: log) == nil)
        log.append(5)
        #expect(sequences(all(&follower, log)) == [6])
    }

    @Test func snapshotComesFirstAndNothingTwice() {
        var log = EventLog()
        for number in 0..<5 { log.append(number) }
        var follower = EventFollower(EventPlace(since: nil), of: log)
        #expect(sequences([follower.next(of: log)].compactMap { $0 }) == [5])
        log.append(5)
        #expect(sequences(all(&follower, log)) == [6])
    }

    @Test func whatIsLostIsToldAtItsPlace() {
        var log = EventLog(capacity: 4)
        for number in 0..<10 { log.append(number) }
        var follower = EventFollower(EventPlace(since: 1), of: log)
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
        let fresh = EventFollower(EventPlace(), of: log)
        #expect(
            try JSONValue.parse(HTTPAPI.greeting(of: log, to: fresh)) == ["next": 2, "run": "first", "resumed": false])
        let other = EventFollower(EventPlace(since: 1, run: "first"), of: log)
        #expect(try JSONValue.parse(HTTPAPI.greeting(of: log, to: other))["resumed"] == true)
    }

    /// A reader that lost its connection before the service started anew learns that it cannot go on: it gets the present
    /// state, and nothing of the old run is taken for an event of the new one.
    @Test(arguments: [EventPlace(since: 2, run: "before"), EventPlace(since: 9), EventPlace(since: 9, run: "now")])
    func anotherRunIsNoContinuation(place: EventPlace) {
        var log = EventLog(run: "now")
        for number in 0..<5 { log.append(number) }
        var follower = EventFollower(place, of: log)
        #expect(!follower.resumes)
        #expect(sequences(all(&follower, log)) == [5], "the snapshot")
        let listing = EventListing(of: log, after: EventPlace(since: 2, run: "before")).json
        #expect(listing["events"]?.array?.count == 5 && listing["run"] == "now" && listing["dropped"] == 0)
    }

    /// However often a reader comes again, at whatever place, it has each event once, or is told how many it has not.
    @Test(arguments: 1...200 as ClosedRange<UInt64>) func resumptionLosesAndDoublesNothing(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var log = EventLog(capacity: Int.random(in: 1...12, using: &random), run: "now")
        var place = EventPlace(since: 0, run: "now")
        var accounted: UInt64 = 0
        for _ in 0..<20 {
            for number in 0..<Int.random(in: 0...8, using: &random) { log.append(number) }
            var follower = EventFollower(place, of: log)
            #expect(follower.resumes)
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                if Bool.random(using: &random) { log.append(0) }
                switch follower.next(of: log) {
                case .dropped(let count): accounted += count
                case .event(let event):
                    accounted += 1
                    #expect(event.sequence == accounted)
                    place.since = event.sequence
                case nil: break
                }
            }
            // The connection is lost; what was dropped behind the last event is told again.
            accounted = place.since ?? 0
        }
    }
}
