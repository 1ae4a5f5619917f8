// SPDX-License-Identifier: Apache-2.0
import Announcements
import JSON
import Testing
import Time
import Venue

/// SVM-28: the document of an announcement.
struct AnnouncementTests {
    static let full = Announcement(
        streamer: Streamer.ID("8e5d6f0a-41c7-4d3e-9b0f-2a6c1f7d9e11"), streamerName: "Head-end", sessionNumber: 101,
        sessionTitle: "Match day",
        license: FieldOfUse(venueName: "Arena", contentOwner: "League", appDeveloper: "Apps"), kind: .data,
        name: "Main \"camera\" Ünï", text: "Two\nlines", bandwidthKbps: 4_500,
        transport: Transport(
            address: "239.192.10.1", port: 5004, source: "10.20.0.5", encapsulation: .rtp(payloadType: 96)),
        playoutDelay: .milliseconds(400), interval: .milliseconds(2_500))

    static let least = """
        {"version":1,"streamer":{"id":"a"},"session":{"number":0},"kind":"video","name":"n",
        "license":{"venueName":"v","contentOwner":"c","appDeveloper":"d"},
        "transport":{"address":"239.0.0.1","port":1,"encapsulation":"rtp"}}
        """

    @Test func readsWhatItWrites() throws {
        #expect(try Announcement(Self.full.encoded) == Self.full)
        #expect(Self.full.encoded.count < 1_024)
    }

    @Test func whatIsLeftOutHasItsDefault() throws {
        let least = try Announcement(Array(Self.least.utf8))
        let expected = Announcement(
            streamer: Streamer.ID("a"), sessionNumber: 0,
            license: FieldOfUse(venueName: "v", contentOwner: "c", appDeveloper: "d"), name: "n",
            transport: Transport(address: "239.0.0.1", port: 1, encapsulation: .rtp(payloadType: 33)))
        #expect(least == expected)
        #expect(least.interval == .seconds(5))
    }

    @Test func nullIsAbsentAndTheUnknownIsIgnored() throws {
        var json = try JSONValue.parse(Self.least)
        for key in ["text", "bandwidthKbps", "playoutDelayMs", "repair", "intervalMs"] { json[key] = .null }
        json["later"] = [1, 2, ["x": .null]]
        #expect(try Announcement(json: json) == Announcement(Array(Self.least.utf8)))
    }

    @Test func channelCarriesAll() {
        let channel = Self.full.channel
        #expect(channel.id.text == "8e5d6f0a-41c7-4d3e-9b0f-2a6c1f7d9e11/101")
        #expect(channel.fieldOfUse == Self.full.license && channel.playoutDelay == .milliseconds(400))
        #expect(channel.channelText == "Two\nlines" && channel.sessionTitle == "Match day" && channel.kind == .data)
    }

    @Test(arguments: ["", "{", "[1]]", "{\"version\":1,\"version\":1}", "\u{feff}{}"])
    func whatIsNoJSONSaysSo(text: String) throws {
        #expect {
            try Announcement(Array(text.utf8))
        } throws: { error in
            if case .invalidJSON? = error as? AnnouncementError { true } else { false }
        }
    }

    @Test(arguments: [0, 2, -1, Int64.max]) func anotherVersionHidesAllElse(version: Int64) {
        #expect(throws: AnnouncementError.versionMismatch(version)) {
            try Announcement(json: ["version": .integer(version), "streamer": "someone"])
        }
    }

    @Test(arguments: BrokenField.all) func aBrokenFieldIsNamed(field: BrokenField) throws {
        let json = try field.applied(to: Self.least)
        #expect {
            try Announcement(json: json)
        } throws: { error in
            guard case .invalidField(let path, let value, let expected)? = error as? AnnouncementError else {
                return false
            }
            let shown = field.value.isNull ? nil : field.value.text().prefix(70)
            let isNamed = path == field.path && value?.prefix(70) == shown
            // Of an object that has the path it is a member that is named.
            return !expected.isEmpty && (isNamed || path.hasPrefix("\(field.path)/"))
        }
    }

    @Test func errorsReadWell() {
        let error = AnnouncementError.invalidField(path: "/name", value: "0", expected: "text")
        #expect(error.description == "/name is 0 where text is expected")
    }

    @Test func aBodyOfEightKibibytesIsRead() throws {
        let padded = Self.least + String(repeating: " ", count: Announcement.mostOctets - Self.least.utf8.count)
        #expect(try Announcement(Array(padded.utf8)).name == "n")
        #expect(throws: AnnouncementError.tooLong(octets: 8_193)) { try Announcement(Array((padded + " ").utf8)) }
    }

    @Test func everyTruncationThrows() {
        let body = Self.full.encoded
        for count in 0..<body.count {
            #expect(throws: AnnouncementError.self) { try Announcement(Array(body[..<count])) }
        }
    }
}
