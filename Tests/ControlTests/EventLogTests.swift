// SPDX-License-Identifier: Apache-2.0
import Control
import JSON
import Testing

struct EventLogTests {
    @Test func countsFromOneWithoutGaps() {
        var log = EventLog(capacity: 4)
        #expect(log.lastSequence == 0)
        #expect(log.events(after: 0).events.isEmpty)
        for number in 0..<10 { log.append(number) }
        #expect(log.lastSequence == 10)
        #expect(log.events(after: 10).events.isEmpty)
        #expect(log.events(after: 99).events.isEmpty)
        for after in 0..<10 as Range<UInt64> {
            let (dropped, events) = log.events(after: after)
            #expect(dropped == (after < 6 ? 6 - after : 0))
            #expect(events.map(\.sequence) == Array((max(after, 6) + 1)...10))
        }
        #expect(log.events(after: 0, atMost: 2).events.map(\.sequence) == [7, 8])
        #expect(log.events(after: 7, atMost: 2).events.map(\.sequence) == [8, 9])
    }

    /// A late subscriber learns the state of each region, in the order in which it came about.
    @Test func snapshotHasEachRegion() {
        var log = EventLog(capacity: 4)
        func state(_ state: String, _ region: String?) {
            var payload: JSONValue = ["channelState": .string(state)]
            if let region { payload["region"] = .string(region) }
            log.append(.video, "channelState", payload, time: .init(nanoseconds: 0), wallTime: .init(nanoseconds: 0))
        }
        for region in [nil, "side", "low"] as [String?] {
            state("open", region)
            state("play", region)
        }
        state("live", nil)
        #expect(log.snapshot.map(\.sequence) == [4, 6, 7])
        #expect(log.snapshot.map { $0.payload["region"]?.string } == ["side", "low", nil])
        log.keepRegions(["main", "low"])
        #expect(log.snapshot.map(\.sequence) == [6, 7])
    }

    /// PLAY-16: the last duration is that of the session that is open, not of the one before.
    @Test func snapshotForgetsWhatHasEnded() {
        var log = EventLog(capacity: 16, outlivingSessions: ["session.terminate", "session.fail"])
        func tell(_ name: String, _ session: Int64, _ region: String? = nil) {
            var payload: JSONValue = ["session": .integer(session)]
            if let region { payload["region"] = .string(region) }
            log.append(.session, name, payload, time: .init(nanoseconds: 0), wallTime: .init(nanoseconds: 0))
        }
        func names() -> [String] {
            log.snapshot.map { "\($0.name) \($0.payload["session"]?.integer ?? 0)" }
        }
        tell("durationChanged", 1)
        tell("progress", 1)
        tell("durationChanged", 2, "side")
        #expect(names() == ["durationChanged 1", "progress 1", "durationChanged 2"], "told to who comes late")
        tell("fail", 1)
        tell("terminate", 1)
        log.sessionEnded(1)
        #expect(names() == ["durationChanged 2", "fail 1", "terminate 1"])
        tell("ready", 3)
        #expect(names().last == "ready 3" && log.events(after: 0).events.count == 6)
    }

    /// The state of a channel that was last told long ago is still told.
    @Test func snapshotOutlivesTheRing() {
        var log = EventLog(capacity: 4)
        log.append(.channels, "video", ["list": []], time: .init(nanoseconds: 0), wallTime: .init(nanoseconds: 0))
        for number in 0..<100 { log.append(number) }
        #expect(log.snapshot.map(\.sequence) == [1, 101])
    }
}
