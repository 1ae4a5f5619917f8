// SPDX-License-Identifier: Apache-2.0
import Announcements
import Buffers
import Foundation
import JSON
import Network
import System
import Testing
import Time
import Venue

@testable import Box

/// What a box hears whose settings are changed: `One` of the settings, and `Two` and `Three`, which are announced, with
/// a licence and without. All carry the same pictures.
final class SettingsVenue {
    static let (firstPort, secondPort, announcementPort, webPort): (UInt16, UInt16, UInt16, UInt16) =
        (21_251, 21_252, 21_253, 21_254)
    private static let announcements = "239.255.77.22"
    private static let license = FieldOfUse(venueName: "Arena", contentOwner: "Club", appDeveloper: "Us")

    /// A WAV file of its own; see `removeFiles`.
    let wave = "/tmp/touchline-settings-\(UUID().uuidString).wav"
    private let channels: [LoopbackChannel]
    private let stopping = StopFlag()
    private let announcer: DedicatedThread

    init() throws {
        channels = try [Self.firstPort, Self.secondPort].map { try BoxTests.LiveSessionTests.channel(port: $0) }
        let socket = try DatagramSocket(
            sendingTo: Self.announcements, port: Self.announcementPort, interface: "lo")
        let packets = try Self.packets()
        let stopping = stopping
        announcer = try DedicatedThread("announcer") {
            while !stopping.isRaised {
                // A network may lose it; the next one follows.
                for packet in packets { packet.withUnsafeBytes { try? socket.send($0) } }
                SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(100))
            }
        }
    }

    private static func packets() throws -> [[UInt8]] {
        let origin = try #require(NumericAddress("127.0.0.1"))
        let two = Announcement(
            streamer: .init("head"), sessionNumber: 5, license: license, name: "Two",
            transport: Transport(address: LoopbackChannel.group, port: firstPort, encapsulation: .raw),
            interval: .milliseconds(500))
        let three = """
            v=0\r\no=- 77 1 IN IP4 127.0.0.1\r\ns=Three\r\nc=IN IP4 \(LoopbackChannel.group)/1\r\nt=0 0\r\n\
            m=video \(firstPort) RTP/AVP 33\r\n
            """
        return [
            SAPPacket.encoded(.announcement, origin: origin, payloadType: .announcement, payload: two.encoded),
            SAPPacket.encoded(
                .announcement, origin: origin, payloadType: .sessionDescription, payload: Array(three.utf8)),
        ]
    }

    func stop() {
        stopping.raise()
        announcer.join()
        for channel in channels { channel.stop() }
        for path in [wave, wave + "-other.wav"] { try? FileManager.default.removeItem(atPath: path) }  // only in /tmp
    }

    static func channels(port: UInt16) -> JSONValue {
        [
            [
                "name": "One", "address": .string(LoopbackChannel.group), "port": .integer(Int64(port)),
                "encapsulation": "raw",
            ], ["name": "Scores", "kind": "data", "address": "239.255.77.24", "port": 21_255],
        ]
    }

    /// The settings of the box before a change.
    var settings: JSONValue {
        [
            "box": ["tags": ["foyer"]], "network": ["interface": "lo"],
            "license": ["venueName": "Arena", "contentOwner": "Club", "appDeveloper": "Us"],
            "announcements": [
                "groups": [["address": .string(Self.announcements), "port": .integer(Int64(Self.announcementPort))]],
                "pruneMinimumMs": 1_000,
            ],
            "channels": Self.channels(port: Self.firstPort),
            "lineUp": ["views": [["tag": "bar", "channels": ["Two"]]]],
            "playlists": [["name": "Evening", "items": [["channel": "One"], ["channel": "Two"]]]],
            "strategies": [["name": "sponsors", "layer": "advertisement"]],
            "output": ["width": 320, "height": 180, "transitionMs": 0], "log": ["level": "error"],
            "sound": ["kind": "wav", "wavPath": .string(wave)],
            "playback": ["autoTune": "One", "playoutDelayMs": 100],
            "http": ["port": 0, "role": "administrator"],
        ]
    }
}
