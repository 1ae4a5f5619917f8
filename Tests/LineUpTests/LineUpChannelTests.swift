// SPDX-License-Identifier: Apache-2.0
import Announcements
import LineUp
import Testing
import Time
import Venue

/// What is listed, in which order, and what is told of it.
struct LineUpChannelTests {
    @Test func firstAnnouncementAddsStreamerAndChannel() throws {
        var script = Script()
        let changes = script.hear(Script.announcement())
        let channel = try #require(script.lineUp.channels.first)
        guard case .streamerAdded(let streamer) = changes.first else {
            Issue.record("\(changes)")
            return
        }
        #expect(changes.told == [.added(channel)] && changes.count == 2)
        #expect(streamer.id.text == "head-end" && streamer.address == "10.0.0.5" && streamer.version == 1)
        #expect(channel == Script.announcement().channel)
        #expect(script.lineUp.streamers.map(\.channelCount) == [1])
        #expect(script.lineUp.counters.channelsAdded == 1)
    }

    @Test func repetitionIsNoEvent() {
        var script = Script()
        script.hear(Script.announcement())
        for _ in 0..<100 {
            #expect(script.wait(seconds: 5) == [])
            #expect(script.hear(Script.announcement()) == [])
        }
        #expect(script.lineUp.counters.announcementsReceived == 101)
        #expect(script.lineUp.counters.faults == 0)
        #expect(script.lineUp.streamers.first?.lastHeard == script.now)
    }

    @Test func sameContentInOtherWordsIsNoEvent() {
        var script = Script()
        script.hear(Script.announcement())
        let pretty = Script.announcement().json.octets(pretty: true)
        #expect(
            script.hear(SAPPacket.encoded(origin: Script.head, payloadType: .announcement, payload: pretty)) == [])
        #expect(script.names == ["Main"])
    }

    @Test func otherContentChangesTheChannel() {
        var script = Script()
        script.hear(Script.announcement(name: "Old"))
        let changed = Script.announcement(name: "New", port: 6000)
        #expect(
            script.hear(changed).told == [.changed(changed.channel, was: Script.announcement(name: "Old").channel)])
        #expect(script.names == ["New"])
        #expect(script.lineUp.counters.channelsAdded == 1)
    }

    @Test func orderDoesNotDependOnWhoWasHeardFirst() {
        let announcements = [
            Script.announcement(1, name: "B"), Script.announcement(1, name: "A", streamer: "z"),
            Script.announcement(1, name: "A", streamer: "y"), Script.announcement(0, name: "Z"),
        ]
        let orders = [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]].map { order in
            var script = Script()
            for index in order { script.hear(announcements[index]) }
            return script.lineUp.channels.map(\.id.text)
        }
        #expect(Set(orders) == [["head-end/0", "y/1", "z/1", "head-end/1"]])
    }

    @Test func ofOneNameTheFirstIsFound() {
        var script = Script()
        script.hear(Script.announcement(9, name: "Main"))
        script.hear(Script.announcement(3, name: "Main"))
        #expect(script.lineUp.channels.count == 2)
        #expect(script.lineUp.entry(matching: "Main")?.channel?.sessionNumber == 3)
        #expect(script.lineUp.entry(matching: "main") == nil)
    }

    @Test func deletionIsBelievedAtOnceAndOnce() {
        var script = Script()
        script.hear(Script.announcement(1))
        script.hear(Script.announcement(2, name: "Second"))
        let first = Script.announcement(1)
        #expect(script.hear(first, deletes: true).told == [.removed(first.channel, .deleted)])
        #expect(script.hear(first, deletes: true) == [])
        let last = script.hear(Script.announcement(2, name: "Second"), deletes: true)
        #expect(last.count == 2)
        guard case .streamerRemoved(let streamer) = last.last else {
            Issue.record("\(last)")
            return
        }
        #expect(streamer.channelCount == 0)
        #expect(script.lineUp.channels.isEmpty && script.lineUp.streamers.isEmpty)
        #expect(script.lineUp.counters.channelsDeleted == 2 && script.lineUp.counters.faults == 0)
    }

    @Test func nobodyElseCanDelete() {
        var script = Script()
        let channel = Script.announcement()
        script.hear(channel)
        let forged = SAPPacket.encoded(
            .deletion, origin: Script.head, payloadType: .announcement, payload: channel.encoded)
        #expect(script.hear(forged, from: Script.other) == [])
        #expect(script.names == ["Main"])
    }

    @Test func aStreamerIDBelongsToItsFirstSender() {
        var script = Script()
        script.hear(Script.announcement())
        for _ in 0..<4 {
            script.wait(seconds: 5)
            #expect(script.hear(Script.announcement(name: "Forged"), from: Script.other) == [])
            #expect(script.hear(Script.announcement(2, name: "Forged too"), from: Script.other) == [])
            #expect(script.hear(Script.announcement()) == [])
        }
        #expect(script.names == ["Main"])
        #expect(script.lineUp.counters.announcementsConflicting == 8)
        #expect(script.lineUp.lastFault?.reason == .conflicting(owner: Script.head))
        // The first is gone: the id is free.
        script.wait(seconds: 16)
        #expect(script.hear(Script.announcement(name: "Moved"), from: Script.other).count == 2)
        #expect(script.names == ["Moved"])
    }

    @Test func streamerChangesItsName() {
        var script = Script()
        script.hear(Script.announcement())
        var renamed = Script.announcement()
        renamed.streamerName = "Renamed"
        let changes = script.hear(renamed)
        #expect(changes.count == 1 && script.lineUp.streamers.map(\.name) == ["Renamed"])
    }

    @Test func tablesAreBounded() {
        var script = Script(limits: LineUpLimits(sessions: 3, streamers: 2))
        for number in 1...5 { script.hear(Script.announcement(Int64(number), name: "\(number)")) }
        #expect(script.names == ["1", "2", "3"])
        #expect(script.lineUp.counters.announcementsOverflowing == 2)
        script.hear(Script.announcement(3, name: "3"), deletes: true)
        script.hear(Script.announcement(1, streamer: "second"), from: Script.other)
        script.hear(Script.announcement(2, name: "2"), deletes: true)
        script.hear(Script.announcement(1, streamer: "third"))
        #expect(script.lineUp.streamers.count == 2)
        #expect(script.lineUp.counters.announcementsOverflowing == 3)
        #expect(script.hear(Script.announcement(1, name: "still changes")).count == 1)
    }
}
