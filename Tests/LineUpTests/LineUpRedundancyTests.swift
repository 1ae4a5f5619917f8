// SPDX-License-Identifier: Apache-2.0
import Announcements
import LineUp
import TestSupport
import Testing
import Time
import Venue

/// Two head-ends that send the same session are one channel with two sources.
struct LineUpRedundancyTests {
    private static let third = NumericAddress(v4: 0x0a00_0007)

    /// - Parameter source: last octet of 10.0.0.0/24; nil for a group that is received from anybody.
    private static func announcement(
        _ source: Int?, number: Int64 = 1, name: String = "Main", streamer: String = "head-end",
        address: String = "239.1.1.1"
    ) -> Announcement {
        var announcement = Script.announcement(number, name: name, streamer: streamer)
        announcement.transport.address = address
        announcement.transport.source = source.map { "10.0.0.\($0)" }
        return announcement
    }

    /// Both announce; the main head-end at 10.0.0.5 was heard first.
    private static func pair() -> Script {
        var script = Script()
        script.hear(announcement(5))
        script.hear(announcement(6), from: Script.other)
        return script
    }

    private static func sources(_ script: Script) -> [[String]] { script.lineUp.channels.map(\.transport.sources) }

    @Test func theSecondAddsItsSource() throws {
        var script = Script()
        script.hear(Self.announcement(5))
        let before = try #require(script.lineUp.channels.first)
        let changes = script.hear(Self.announcement(6), from: Script.other)
        var after = before
        after.transport.furtherSources = ["10.0.0.6"]
        #expect(changes.told == [.changed(after, was: before)] && changes.count == 2)
        #expect(script.lineUp.streamers.map(\.address).sorted() == ["10.0.0.5", "10.0.0.6"])
        #expect(script.lineUp.streamers.map(\.channelCount) == [1, 1])
        #expect(script.lineUp.announcers(of: before.id) == [Script.head, Script.other])
        #expect(script.lineUp.counters.faults == 0 && script.lineUp.counters.channelsAdded == 1)
        for _ in 0..<20 {
            #expect(script.wait(seconds: 5) == [])
            #expect(script.hear(Self.announcement(6), from: Script.other) == [])
            #expect(script.hear(Self.announcement(5)) == [])
        }
    }

    /// The main head-end falls silent, returns, and the other one falls silent: the channel stays, under its id.
    @Test func eitherMayGo() {
        var script = Self.pair()
        let id = script.lineUp.channels[0].id
        var changes: [LineUpChange] = []
        for _ in 0..<5 {
            changes += script.wait(seconds: 5)
            changes += script.hear(Self.announcement(6), from: Script.other)
        }
        #expect(changes.told.count == 1 && Self.sources(script) == [["10.0.0.6"]])
        #expect(script.lineUp.streamers.map(\.address) == ["10.0.0.6"])
        changes = script.hear(Self.announcement(5))
        #expect(changes.told.count == 1 && Self.sources(script) == [["10.0.0.6", "10.0.0.5"]])
        changes = []
        for _ in 0..<5 {
            changes += script.wait(seconds: 5)
            changes += script.hear(Self.announcement(5))
        }
        #expect(changes.told.count == 1 && Self.sources(script) == [["10.0.0.5"]])
        #expect(script.lineUp.channels.map(\.id) == [id])
        #expect(script.wait(seconds: 15).told.count == 1 && script.lineUp.channels.isEmpty)
        #expect(script.lineUp.counters.channelsPruned == 1 && script.lineUp.streamers.isEmpty)
    }

    /// A channel that is received is not silent; of its head-ends those are gone that announce nothing.
    @Test func oneGoesWhileTheChannelIsReceived() {
        var script = Self.pair()
        let id = script.lineUp.channels[0].id
        for second in 1...40 {
            script.now += .seconds(1)
            _ = script.lineUp.tick(now: script.now, received: [id: script.now])
            if second % 5 == 0, second < 20 { script.hear(Self.announcement(6), from: Script.other) }
        }
        #expect(Self.sources(script) == [["10.0.0.6"]], "the last one stays as long as it is received")
    }

    @Test func eachTakesBackItsOwn() {
        var script = Self.pair()
        script.hear(Self.announcement(6), from: Script.other, deletes: true)
        #expect(Self.sources(script) == [["10.0.0.5"]])
        script.hear(Self.announcement(6), from: Script.other)
        script.hear(Self.announcement(5), deletes: true)
        #expect(Self.sources(script) == [["10.0.0.6"]] && script.lineUp.counters.channelsDeleted == 0)
        let forged = SAPPacket.encoded(
            .deletion, origin: Script.other, payloadType: .announcement, payload: Self.announcement(6).encoded)
        #expect(script.hear(forged, from: Self.third) == [])
        script.hear(Self.announcement(6), from: Script.other, deletes: true)
        #expect(script.lineUp.channels.isEmpty && script.lineUp.counters.channelsDeleted == 1)
    }

    /// From a group that is received from any source both arrive: there is nothing to add.
    @Test func withoutSourcesNothingChanges() {
        var script = Script()
        script.hear(Self.announcement(nil))
        let changes = script.hear(Self.announcement(nil), from: Script.other)
        #expect(changes.told.isEmpty && changes.count == 1)
        var later: [LineUpChange] = []
        for _ in 0..<5 {
            later += script.wait(seconds: 5)
            later += script.hear(Self.announcement(nil), from: Script.other)
        }
        #expect(later.told.isEmpty && script.names == ["Main"])
        #expect(script.lineUp.streamers.map(\.address) == ["10.0.0.6"])
    }

    // MARK: Who says something else

    /// Whoever is not first adds a source; whatever else it says is refused and takes its source away.
    @Test func theSecondChangesNothing() {
        for (place, other) in [
            Self.announcement(6, name: "Mine"), Self.announcement(6, address: "239.9.9.9"), Self.announcement(nil),
        ].enumerated() {
            var script = Self.pair()
            let alone = script.lineUp.channels[0]
            let changes = script.hear(other, from: Script.other)
            #expect(changes.told.count == 1 && Self.sources(script) == [["10.0.0.5"]], "\(place)")
            #expect(script.names == ["Main"] && script.lineUp.channels[0].id == alone.id)
            #expect(script.lineUp.counters.announcementsConflicting == 1 && script.lineUp.counters.faults == 1)
            #expect(script.hear(other, from: Script.other) == [])
            #expect(script.lineUp.counters.announcementsConflicting == 2)
            #expect(script.lineUp.streamers.map(\.address) == ["10.0.0.5"])
        }
    }

    /// The streamer belongs to the one that was heard first: another one cannot begin sessions of it.
    @Test func theSecondBeginsNothing() {
        var script = Self.pair()
        #expect(script.hear(Self.announcement(6, number: 2, name: "Second"), from: Script.other) == [])
        #expect(script.lineUp.counters.announcementsConflicting == 1)
        script.hear(Self.announcement(5, number: 2, name: "Second"))
        script.hear(Self.announcement(6, number: 2, name: "Second"), from: Script.other)
        #expect(Self.sources(script) == [["10.0.0.5", "10.0.0.6"], ["10.0.0.5", "10.0.0.6"]])
        #expect(script.lineUp.streamers.map(\.channelCount) == [2, 2])
    }

    /// The first goes over to another name, the second follows.
    @Test func theFirstChangesAndTheSecondFollows() {
        var script = Self.pair()
        script.hear(Self.announcement(5, name: "Renamed"))
        #expect(script.names == ["Renamed"] && Self.sources(script) == [["10.0.0.5"]])
        #expect(script.hear(Self.announcement(6), from: Script.other) == [])
        script.hear(Self.announcement(6, name: "Renamed"), from: Script.other)
        #expect(script.names == ["Renamed"] && Self.sources(script) == [["10.0.0.5", "10.0.0.6"]])
        #expect(script.lineUp.streamers.map(\.channelCount) == [1, 1])
    }

    @Test func tenSourcesAreEnough() {
        var script = Script()
        for number in 1...14 {
            script.hear(Self.announcement(number), from: NumericAddress(v4: 0x0a00_0000 + UInt32(number)))
        }
        #expect(Self.sources(script).map(\.count) == [10])
        #expect(script.lineUp.counters.announcementsConflicting == 4 && script.lineUp.streamers.count == 10)
    }

    @Test func whomSettingsRefuseIsNoSource() {
        var script = Self.pair()
        let refusing = LineUpSettings(fieldOfUse: Script.license, deniedSenders: [Script.head])
        let changes = script.lineUp.apply(refusing)
        #expect(Self.sources(script) == [["10.0.0.6"]] && script.lineUp.channels[0].id.text == "head-end/1")
        #expect(changes.told.count == 1 && script.lineUp.counters.channelsRevoked == 0)
    }

    @Test func aLicenceIsThatOfTheFirst() {
        var script = Self.pair()
        var unlicensed = Self.announcement(5)
        unlicensed.license = FieldOfUse(venueName: "Elsewhere", contentOwner: "League", appDeveloper: "Apps")
        script.hear(unlicensed)
        #expect(script.lineUp.channels.isEmpty && script.lineUp.counters.channelsRevoked == 1)
        #expect(script.lineUp.streamers.map(\.channelCount) == [0])
        script.hear(Self.announcement(5))
        script.hear(Self.announcement(6), from: Script.other)
        #expect(Self.sources(script) == [["10.0.0.5", "10.0.0.6"]])
        #expect(script.lineUp.streamers.map(\.channelCount) == [1, 1])
    }

    // MARK: Head-ends that know nothing of each other

    /// Two of VLC, or of ours with ids of their own: the same name to the same group and port is the same channel.
    @Test func theSameNameAndPlaceIsOneChannel() {
        var script = Script()
        script.hear(sdp: Script.sdp(id: "77"))
        script.hear(sdp: Script.sdp(id: "88"), from: Script.other)
        script.hear(Self.announcement(5))
        script.hear(Self.announcement(6, streamer: "backup"), from: Script.other)
        #expect(Set(script.names) == ["Plain", "Main"] && script.lineUp.channels.count == 2)
        #expect(script.lineUp.announcers(of: Channel.ID("sdp:-/77@10.0.0.5")) == [Script.head, Script.other])
        #expect(script.lineUp.counters.faults == 0)
        // One sender alone does not stand in for itself.
        script.hear(Self.announcement(5, number: 2))
        #expect(script.names.filter { $0 == "Main" }.count == 2)
        script.hear(sdp: Script.sdp(id: "99", port: 6_000), from: Script.other)
        #expect(script.names.filter { $0 == "Plain" }.count == 2, "another port is another channel")
    }

    /// The channel goes on under the id of the one that has ended. When that one is back as something else both are
    /// channels of their own.
    @Test func anIdIsGivenBack() {
        var script = Script()
        script.hear(Self.announcement(5))
        script.hear(Self.announcement(6, streamer: "backup"), from: Script.other)
        script.hear(Self.announcement(5), deletes: true)
        #expect(script.lineUp.channels.map(\.id.text) == ["head-end/1"] && Self.sources(script) == [["10.0.0.6"]])
        script.hear(Self.announcement(6, streamer: "backup"), from: Script.other)
        script.hear(Self.announcement(5, name: "Other", address: "239.3.3.3"))
        script.hear(Self.announcement(6, streamer: "backup"), from: Script.other)
        #expect(Set(script.lineUp.channels.map(\.id.text)) == ["head-end/1", "backup/1"])
        #expect(script.lineUp.counters.faults == 0)
    }

    // MARK: Any order

    /// What is told adds up, and nobody is left behind.
    @Test(arguments: Effort.seeds(30)) func countsAddUp(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var script = Script(limits: LineUpLimits(sessions: 5, sessionsPerSender: 3, streamers: 4))
        let senders = [Script.head, Script.other, Self.third]
        var listed: Set<Channel.ID> = []
        var streamers: Set<Streamer.ID> = []
        for _ in 0..<400 {
            let sender = Int.random(in: 0...2, using: &random)
            let announcement = Self.announcement(
                Bool.random(using: &random) ? 5 + sender : nil, number: Int64.random(in: 1...3, using: &random),
                name: ["Main", "Second"][Int.random(in: 0...1, using: &random)],
                streamer: ["head-end", "backup"][Int.random(in: 0...1, using: &random)],
                address: ["239.1.1.1", "239.1.1.2"][Int.random(in: 0...1, using: &random)])
            var changes = script.hear(
                announcement, from: senders[sender], deletes: Int.random(in: 0...9, using: &random) == 0)
            if Int.random(in: 0...9, using: &random) == 0 {
                changes += script.wait(seconds: Int.random(in: 1...16, using: &random))
            }
            for change in changes {
                switch change {
                case .channelAdded(let entry): #expect(listed.insert(entry.id).inserted)
                case .channelRemoved(let entry, _): #expect(listed.remove(entry.id) != nil)
                case .channelChanged(let entry, _): #expect(listed.contains(entry.id))
                case .streamerAdded(let streamer): #expect(streamers.insert(streamer.id).inserted)
                case .streamerRemoved(let streamer):
                    #expect(streamers.remove(streamer.id) != nil && streamer.channelCount == 0)
                case .streamerChanged(let streamer): #expect(streamers.contains(streamer.id))
                }
            }
            let channels = script.lineUp.channels
            #expect(Set(channels.map(\.id)) == listed && channels.count == listed.count && channels.count <= 5)
            #expect(Set(script.lineUp.streamers.map(\.id)) == streamers)
            let announcers = channels.reduce(0) { $0 + script.lineUp.announcers(of: $1.id).count }
            #expect(script.lineUp.streamers.reduce(0) { $0 + $1.channelCount } == announcers)
            let counters = script.lineUp.counters
            let gone = counters.channelsPruned + counters.channelsDeleted + counters.channelsRevoked
            #expect(counters.channelsAdded == gone + UInt64(channels.count))
        }
        script.wait(seconds: 1_000)
        #expect(script.lineUp.channels.isEmpty && script.lineUp.streamers.isEmpty, "seed \(seed)")
    }
}
