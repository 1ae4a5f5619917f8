// SPDX-License-Identifier: Apache-2.0
import Announcements
import LineUp
import Settings
import Testing
import Time
import Venue

struct LineUpSettingsTests {
    private static func written(_ name: String, port: UInt16 = 5004) -> Channel {
        Channel(
            id: Channel.ID("settings:\(name)"), name: name,
            transport: Transport(address: "239.3.3.3", port: port, encapsulation: .raw))
    }

    @Test func channelsOfTheSettingsNeedNoAnnouncement() {
        var script = Script(settings: LineUpSettings(channels: [Self.written("B"), Self.written("A")]))
        #expect(script.names == ["A", "B"])
        #expect(script.wait(seconds: 3_600) == [])
        #expect(script.lineUp.counters == LineUpCounters())
    }

    @Test func otherChannelsInTheSettings() {
        var script = Script(
            settings: LineUpSettings(channels: [Self.written("A"), Self.written("B"), Self.written("C")]))
        let changes = script.lineUp.apply(
            LineUpSettings(channels: [Self.written("B", port: 6000), Self.written("C"), Self.written("D")]))
        #expect(
            changes.told == [
                .removed(Self.written("A"), .revoked),
                .changed(Self.written("B", port: 6000), was: Self.written("B")),
                .added(Self.written("D")),
            ])
        #expect(script.names == ["B", "C", "D"])
    }

    @Test func anotherTripletJudgesAllAgain() {
        let elsewhere = FieldOfUse(venueName: "Elsewhere", contentOwner: "League", appDeveloper: "Apps")
        var script = Script()
        script.hear(Script.announcement(1, name: "Here"))
        script.hear(Script.announcement(2, name: "There", license: elsewhere))
        script.hear(sdp: Script.sdp("Plain", id: "3"))
        #expect(script.names == ["Here", "Plain"])
        let changes = script.lineUp.apply(LineUpSettings(fieldOfUse: elsewhere, acceptsUnlicensed: false))
        #expect(script.names == ["There"])
        #expect(changes.count == 3)
        #expect(script.lineUp.streamers.map(\.channelCount) == [0, 1])
        script.hear(Script.announcement(2, name: "There", license: elsewhere))
        #expect(script.lineUp.counters.licenseMismatchAnnouncements == 1)
        #expect(script.lineUp.counters.channelsRevoked == 2)
    }

    @Test func aDeniedSenderLosesItsChannels() {
        var script = Script()
        script.hear(Script.announcement())
        script.hear(Script.announcement(2, streamer: "other", port: 6000), from: Script.other)
        var settings = LineUpSettings(fieldOfUse: Script.license, deniedSenders: [Script.head])
        #expect(script.lineUp.apply(settings).count == 2)
        #expect(script.lineUp.channels.map(\.transport.port) == [6000])
        script.hear(Script.announcement())
        #expect(script.lineUp.streamers.map(\.isAllowed).contains(false))
        settings.deniedSenders = []
        #expect(script.lineUp.apply(settings).count == 1)
        script.hear(Script.announcement())
        #expect(script.lineUp.channels.count == 2)
    }

    @Test func sameSettingsChangeNothing() {
        let settings = LineUpSettings(fieldOfUse: Script.license, channels: [Self.written("A")])
        var script = Script(settings: settings)
        script.hear(Script.announcement())
        #expect(script.lineUp.apply(settings) == [])
    }

    @Test func theBoxsDefaultsAreOurs() {
        let settings = LineUpSettings(Settings.default)
        #expect(settings.missedIntervals == 3 && settings.pruneMinimum == .seconds(15))
        #expect(settings.allowedSenders.isEmpty && settings.deniedSenders.isEmpty && settings.channels.isEmpty)
    }
}
