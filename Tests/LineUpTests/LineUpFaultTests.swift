// SPDX-License-Identifier: Apache-2.0
import Announcements
import LineUp
import Testing
import Time
import Venue

/// Each bad datagram counts once, in one counter, and leaves no channel.
struct LineUpFaultTests {
    private static func sap(_ body: String, type: SAPPayloadType = .announcement) -> [UInt8] {
        SAPPacket.encoded(origin: Script.head, payloadType: type, payload: Array(body.utf8))
    }

    private static func altered(_ key: String, _ value: Int64?) -> [UInt8] {
        var json = Script.announcement().json
        json[key] = value.map { .integer($0) }
        return sap(json.text())
    }

    /// Also the order of the checks: each has the faults of all behind it too, where one datagram can.
    static let faults: [(String, [UInt8], KeyPath<LineUpCounters, UInt64> & Sendable)] = [
        ("empty", [], \.announcementsMalformed),
        ("SAP version", [0x40] + sap("{").dropFirst(), \.announcementsMalformed),
        ("header only", Array(sap("").prefix(8)), \.announcementsMalformed),
        ("not SDP", sap("{}", type: .sessionDescription), \.announcementsMalformed),
        ("encrypted", [0x22] + sap("{").dropFirst(), \.announcementsEncrypted),
        ("encrypted, compressed", [0x23] + sap("{").dropFirst(), \.announcementsEncrypted),
        ("not compressed", [0x21] + sap("{").dropFirst(), \.announcementsMalformed),
        (
            "compressed: no type", [0x21] + sap("").dropFirst().prefix(7) + [0x78, 0xda, 3, 0, 0, 0, 0, 1],
            \.announcementsMalformed
        ),
        ("unknown type", sap("{}", type: .other("text/xml")), \.announcementsUnknownType),
        ("no JSON", sap("{\"version\":2"), \.invalidJsonAnnouncements),
        ("too long", sap(String(repeating: " ", count: 9_000)), \.invalidJsonAnnouncements),
        ("later version", sap("{\"version\":2}"), \.versionMismatchAnnouncements),
        ("no version", altered("version", nil), \.invalidJsonAnnouncements),
        ("no name", altered("name", nil), \.invalidJsonAnnouncements),
        (
            "elementary streams",
            sap("v=0\no=- 0 0 IN IP4 1.1.1.1\ns=x\nm=video 1 RTP/AVP 96\n", type: .sessionDescription),
            \.announcementsUnplayable
        ),
    ]

    @Test(arguments: faults.indices) func countsOnce(index: Int) {
        let (name, datagram, counter) = Self.faults[index]
        var script = Script()
        for repetition in 1...3 {
            #expect(script.hear(datagram) == [], "\(name)")
            #expect(script.lineUp.counters[keyPath: counter] == UInt64(repetition), "\(name)")
            #expect(script.lineUp.counters.faults == UInt64(repetition), "\(name)")
            #expect(script.lineUp.counters.announcementsReceived == UInt64(repetition), "\(name)")
        }
        #expect(script.lineUp.channels.isEmpty && script.lineUp.streamers.isEmpty)
        #expect(script.lineUp.lastFault?.sender == Script.head)
    }

    @Test(arguments: [
        FieldOfUse(venueName: "arena", contentOwner: "League", appDeveloper: "Apps"),
        FieldOfUse(venueName: "Arena", contentOwner: "League ", appDeveloper: "Apps"),
        FieldOfUse(venueName: "Arena", contentOwner: "League", appDeveloper: "Other"),
    ])
    func anotherLicenceHidesTheChannelButNotTheStreamer(license: FieldOfUse) {
        var script = Script()
        for _ in 0..<5 {
            script.hear(Script.announcement(license: license))
            script.wait(seconds: 5)
        }
        #expect(script.lineUp.counters.licenseMismatchAnnouncements == 5 && script.lineUp.counters.faults == 5)
        #expect(script.lineUp.channels.isEmpty)
        #expect(script.lineUp.streamers.map(\.channelCount) == [0])
        #expect(script.lineUp.lastFault?.reason == .licenseMismatch(license))
        script.wait(seconds: 15)
        #expect(script.lineUp.streamers.isEmpty && script.lineUp.counters.channelsPruned == 0)
    }

    @Test func losingTheLicenceRevokesTheChannel() {
        var script = Script()
        script.hear(Script.announcement())
        let without = FieldOfUse(venueName: "Elsewhere", contentOwner: "League", appDeveloper: "Apps")
        #expect(
            script.hear(Script.announcement(license: without)).told
                == [.removed(Script.announcement().channel, .revoked)])
        #expect(script.lineUp.counters.channelsRevoked == 1 && script.lineUp.counters.licenseMismatchAnnouncements == 1)
    }

    @Test func aRefusedSenderIsCountedAndShownButNotLookedInto() {
        var script = Script(settings: LineUpSettings(fieldOfUse: Script.license, deniedSenders: [Script.other]))
        #expect(script.hear(Script.announcement(), from: Script.other).count == 1)
        #expect(script.hear([], from: Script.other) == [])
        #expect(script.lineUp.counters.announcementsNotAllowed == 2 && script.lineUp.counters.faults == 2)
        #expect(script.lineUp.channels.isEmpty)
        #expect(script.lineUp.streamers.map(\.isAllowed) == [false])
        #expect(script.lineUp.streamers.map(\.address) == ["10.0.0.6"])
    }

    /// A socket of both families names an IPv4 peer `::ffff:a.b.c.d`: no way round the list.
    @Test(arguments: ["10.0.0.6", "::ffff:10.0.0.6"]) func everyFormOfASenderIsRefused(source: String) throws {
        let sender = try #require(NumericAddress(source))
        var lineUp = LineUp(settings: LineUpSettings(fieldOfUse: Script.license, deniedSenders: [Script.other]))
        let datagram = Self.sap(Script.announcement().json.text())
        for _ in 0..<2 {
            _ = datagram.withUnsafeBytes {
                lineUp.handle(datagram: $0, from: sender, at: Monotonic(nanoseconds: 0))
            }
        }
        #expect(lineUp.counters.announcementsNotAllowed == 2)
        #expect(lineUp.channels.isEmpty)
    }

    @Test func onlyTheAllowedWhenSomeAre() {
        var script = Script(settings: LineUpSettings(fieldOfUse: Script.license, allowedSenders: [Script.head]))
        script.hear(Script.announcement())
        script.hear(Script.announcement(streamer: "other"), from: Script.other)
        #expect(script.names == ["Main"] && script.lineUp.counters.announcementsNotAllowed == 1)
    }

    @Test func refusedSendersAreBoundedAndForgotten() {
        let settings = LineUpSettings(allowedSenders: [Script.head])
        var script = Script(settings: settings, limits: LineUpLimits(refusedSenders: 3))
        for number in 1...10 { script.hear([], from: NumericAddress(v4: UInt32(number))) }
        #expect(script.lineUp.streamers.count == 3 && script.lineUp.counters.announcementsNotAllowed == 10)
        #expect(script.wait(seconds: 900).count == 3)
    }

    @Test func badNewsDoesNotTouchAGoodChannel() {
        var script = Script()
        script.hear(Script.announcement())
        for fault in Self.faults { #expect(script.hear(fault.1) == []) }
        #expect(script.names == ["Main"])
    }
}
