// SPDX-License-Identifier: Apache-2.0
import Announcements
import LineUp
import Testing
import Time
import Venue

/// Head-ends that know nothing of us (SVM-28).
struct LineUpPlainSAPTests {
    @Test func isListedWithoutALicence() {
        var script = Script()
        script.hear(sdp: Script.sdp())
        #expect(script.names == ["Plain"])
        #expect(script.lineUp.channels.map(\.id.text) == ["sdp:-/77@10.0.0.5"])
        #expect(script.lineUp.channels.map(\.sessionNumber) == [77])
        #expect(script.lineUp.channels.map(\.fieldOfUse) == [nil])
        #expect(script.lineUp.streamers.map(\.id.text) == ["sap:10.0.0.5"])
        #expect(script.lineUp.streamers.map(\.version) == [nil])
    }

    @Test func orNotWhenSettingsAskForOne() {
        var script = Script(settings: LineUpSettings(fieldOfUse: Script.license, acceptsUnlicensed: false))
        for _ in 0..<3 { script.hear(sdp: Script.sdp()) }
        #expect(script.names == [] && script.lineUp.streamers.count == 1)
        #expect(script.lineUp.counters.licenseMismatchAnnouncements == 3)
    }

    @Test func anotherVersionOfASessionIsTheSameChannel() {
        var script = Script()
        script.hear(sdp: Script.sdp(version: 1, port: 5004))
        let changes = script.hear(sdp: Script.sdp(version: 2, port: 5006))
        #expect(changes.count == 1 && script.lineUp.channels.map(\.transport.port) == [5006])
        #expect(script.hear(sdp: Script.sdp(version: 3, port: 5006)) == [])
    }

    /// ffmpeg's `o=- 0 0` is the same for every session of every ffmpeg.
    @Test func sessionIDZeroSaysNothing() {
        var script = Script()
        script.hear(sdp: Script.sdp("A", id: "0"))
        script.hear(sdp: Script.sdp("B", id: "0"))
        #expect(script.names == ["A", "B"])
    }

    @Test func aTwinIsNeitherListedTwiceNorPastItsLicence() {
        var script = Script()
        let foreign = FieldOfUse(venueName: "Elsewhere", contentOwner: "x", appDeveloper: "y")
        for announcement in [Script.announcement(), Script.announcement(2, name: "Foreign", license: foreign)] {
            let twin = SessionDescription(announcing: announcement.channel, origin: Script.head, version: 1, ttl: 1)
            script.hear(sdp: twin.text)
            script.hear(announcement)
            script.hear(sdp: twin.text)
        }
        #expect(script.names == ["Main"])
        #expect(script.lineUp.counters.announcementsTwin == 4 && script.lineUp.counters.faults == 1)
    }

    @Test func aSessionWithoutNameIsCalledByItsAddress() {
        var script = Script()
        script.hear(sdp: Script.sdp(" "))
        #expect(script.names == ["239.2.2.2 5004"])
    }
}
