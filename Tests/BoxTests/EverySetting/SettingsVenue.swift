// SPDX-License-Identifier: Apache-2.0
import Announcements
import Buffers
import FeatureTesting
import Foundation
import JSON
import Network
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Box

/// What a box hears whose settings are changed. `One` and others are of the settings; `Two` and `Three` are announced,
/// with a licence and without. They carry the same pictures. `Four` is announced when a trial wants it.
final class SettingsVenue {
    /// The address from which the kernel sends to a group on `lo`.
    private static let ownAddress =
        (try? DatagramSocket(sendingTo: LoopbackChannel.group, port: 9, interface: "lo"))?.ownAddress ?? "127.0.0.1"
    static let data = "239.255.77.24"
    static let webPort: UInt16 = 21_251
    /// A transport stream of three seconds.
    static let film = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../TransportStreamTests/Vectors/testsrc2.ts").standardizedFileURL.path
    private static let announcements = "239.255.77.22"
    private static let license = FieldOfUse(venueName: "Arena", contentOwner: "Club", appDeveloper: "Us")

    let secondPort, announcementPort, dataPort, takenPort: UInt16
    private let firstPort: UInt16
    private let streams: OddStreams
    /// A WAV file of its own; see `stop`.
    let wave = "/tmp/touchline-settings-\(UUID().uuidString).wav"
    let log = LogLines()
    /// Does to the network what `uplink` says, in a directory of its own.
    let networkHelper: NetworkHelperPeer
    private let helperDirectory = "/tmp/touchline-helper-\(UUID().uuidString)"
    private let channels: [LoopbackChannel]
    private let isLosing = LatestValue(true)
    private let announcer: VenueAnnouncer
    private let taken: TakenPort

    /// - Parameter number: each venue of a process has another, and with it other ports.
    init(_ number: UInt16) throws {
        networkHelper = try NetworkHelperPeer(in: helperDirectory)
        let ports = 22_000 + number * 20
        (firstPort, secondPort, announcementPort) = (ports, ports + 1, ports + 2)
        (dataPort, takenPort) = (ports + 3, ports + 5)
        streams = OddStreams(ports: ports + 6)
        channels =
            try [firstPort, secondPort].map { try BoxTests.LiveSessionTests.channel(port: $0) }
            + streams.start(isLosing)
        announcer = try VenueAnnouncer(
            to: Self.announcements, port: announcementPort, always: try Self.three(port: firstPort),
            now: Self.announcement("Two", 5, port: firstPort))
        taken = try TakenPort(takenPort)
    }

    private static func announcement(_ name: String, _ number: Int64, port: UInt16) -> Announcement {
        Announcement(
            streamer: .init("head"), sessionNumber: number, license: license, name: name,
            transport: Transport(address: LoopbackChannel.group, port: port, encapsulation: .raw),
            interval: .milliseconds(500))
    }

    private static func three(port: UInt16) throws -> [UInt8] {
        let text = """
            v=0\r\no=- 77 1 IN IP4 127.0.0.1\r\ns=Three\r\nc=IN IP4 \(LoopbackChannel.group)/1\r\nt=0 0\r\n\
            m=video \(port) RTP/AVP 33\r\n
            """
        return SAPPacket.encoded(
            .announcement, origin: try VenueAnnouncer.origin(), payloadType: .sessionDescription,
            payload: Array(text.utf8))
    }

    func stop() {
        announcer.stop()
        networkHelper.stop()
        for channel in channels { channel.stop() }
        for path in [wave, wave + "-other.wav", wave + ".raw", helperDirectory] {
            try? FileManager.default.removeItem(atPath: path)  // only in /tmp
        }
    }

    /// The options of a box that it hears.
    func change(_ options: inout BoxOptions) {
        options.log = { [log] in log.write($0) }
        options.networkHelper = networkHelper.path
        options.networkDevices = NetworkHelperPeer.devices
    }

    // MARK: Changes

    /// Whether `Lossy` loses packets.
    var loses: Bool {
        get { isLosing.value }
        set { isLosing.set(newValue) }
    }

    func withdrawTwo() throws { try announcer.withdraw() }
    func announceTwo() { announcer.announce() }
    func announceFourOnce() throws { try announcer.announceOnce(Self.announcement("Four", 6, port: firstPort)) }

    // MARK: Settings

    private func channel(_ name: String, _ port: UInt16, _ more: JSONValue = [:]) -> JSONValue {
        let channel: JSONValue = [
            "name": .string(name), "address": .string(LoopbackChannel.group), "port": .integer(Int64(port)),
            "encapsulation": "raw",
        ]
        return channel.merging(patch: more)
    }

    /// - Parameter port: of `One`.
    func channels(port: UInt16) -> JSONValue {
        [
            channel("One", port),
            [
                "name": "Scores", "kind": "data", "address": .string(Self.data), "port": .integer(Int64(dataPort)),
                "payloadType": .integer(Int64(DataSender.payloadType)),
            ],
            channel("Exact", streams.exactPort),
            channel("Faulty", streams.faultyPort, ["encapsulation": "rtp"]),
            channel("Lossy", streams.lossyPort), channel("Tongues", streams.tonguesPort),
            channel("Wide", streams.widePort), channel("Silent", streams.silentPort, ["bandwidthKbps": 9_000]),
            channel(
                "Twins", streams.exactPort, ["source": "198.51.100.2", "furtherSources": [.string(Self.ownAddress)]]),
        ]
    }

    /// The settings of a box whose uplink is down: its interface is not there.
    var settingsWithoutUplink: JSONValue {
        settings.merging(
            patch: ["network": ["interface": "wlgone7"], "health": ["wifiDown": ["raiseMs": 600_000]]])
    }

    /// The settings of the box before a change.
    var settings: JSONValue {
        [
            "box": ["tags": ["foyer"]], "network": ["interface": "lo"],
            "license": ["venueName": "Arena", "contentOwner": "Club", "appDeveloper": "Us"],
            "announcements": [
                "groups": [["address": .string(Self.announcements), "port": .integer(Int64(announcementPort))]],
                "pruneMinimumMs": 1_000,
            ],
            "channels": channels(port: firstPort),
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
