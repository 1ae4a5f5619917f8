// SPDX-License-Identifier: Apache-2.0
import Announcements
import Buffers
import JSON
import Network
import Presentation
import Scene
import Sound
import Synchronization
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Box
@testable import Codecs
@testable import Sound

/// A box that plays the channel `One`, and all by which a test can hurt it. Its thread has a network of its own.
final class FaultBench {
    /// How soon a new picture has to be seen.
    static let patience = Nanoseconds.seconds(5)
    /// The channel that is to be played.
    static let wanted = "One"
    /// To it nothing is sent.
    static let otherInterface = "box0"
    private static let announcements = "239.255.77.32"
    private static let license = FieldOfUse(venueName: "Arena", contentOwner: "Club", appDeveloper: "Us")
    /// Of other codecs than the first; two of other sizes follow them.
    static let films = ["testsrc2", "mpeg2-mp2", "hevc-eac3", "mpeg2i-ac3", "h264-opus", "mpeg1-latm"]
    private static let size = PixelSize(width: 320, height: 180)

    let port: UInt16
    let one: FaultySender
    let two: FaultySender
    let device = FaultyDevice()
    let screen = FaultyScreen(size: FaultBench.size)
    let soundFault = LatestValue<FaultyCard.Fault?>(nil)
    let wallClock = LatestValue(StampingClock.Step())
    let announcer: VenueAnnouncer
    let announcementSocket: DatagramSocket
    let box: RunningBox
    let httpPort: UInt16
    var random: SplitMix64
    private let media: Media

    /// The box's own, of which other threads read counters.
    private struct Media: @unchecked Sendable { let plane: MediaPlane }

    init(port: UInt16, seed: UInt64) throws {
        self.port = port
        random = SplitMix64(seed: seed)
        let films =
            try Self.films.enumerated().map { try LoopedFilm($1, version: UInt8($0)) } + [
                LoopedFilm(width: 320, height: 180, version: 10), LoopedFilm(width: 640, height: 480, version: 11),
            ]
        one = try FaultySender(port: port, films)
        two = try FaultySender(port: port + 2, films)
        announcer = try VenueAnnouncer(
            to: Self.announcements, port: port + 4, always: try Self.packet(.announcement, "Four", 8, port: port + 2),
            now: Self.announcement("Three", 7, port: port + 2))
        announcementSocket = try DatagramSocket(sendingTo: Self.announcements, port: port + 4, interface: "lo")
        let (device, screen, soundFault, wallClock) = (device, screen, soundFault, wallClock)
        let held = Mutex<Media?>(nil)
        box = try RunningBox(Self.settings(port: port)) { options in
            options.decoders = { device.inventory }
            options.decoderOpener = { (_, _, _) throws(DecoderFault) -> any DeviceDecoder in try device.open() }
            options.devices.cards = screen.search
            options.devices.stamps = StampingClock(wallClock)
            options.devices.sound = { settings in
                guard case .alsa = settings.output else { return NullSound() }
                return try ALSASound(FaultyCard(soundFault), clock: SystemPacingClock())
            }
        } made: { box in
            let media = Media(plane: box.control.media)
            held.withLock { $0 = media }
        }
        let status = try box.await("status", within: .seconds(20)) { $0["isPlaying"] == true }
        httpPort = try #require(status["httpPort"]?.integer.flatMap { UInt16(exactly: $0) })
        media = try #require(held.withLock { $0 })
    }

    static func settings(port: UInt16) -> JSONValue {
        // How it is sent is left to the box to find out.
        func channel(_ name: String, _ port: UInt16) -> JSONValue {
            ["name": .string(name), "address": .string(FaultySender.group), "port": .integer(Int64(port))]
        }
        let file = FaultFilms.file
        return [
            "network": ["interface": "lo"],
            "license": ["venueName": "Arena", "contentOwner": "Club", "appDeveloper": "Us"],
            "announcements": [
                "groups": [["address": .string(announcements), "port": .integer(Int64(port) + 4)]],
                "pruneMinimumMs": 1_000,
            ],
            "channels": [channel("One", port), channel("Two", port + 2)],
            "playlists": [
                ["name": "Clip", "items": [["file": .string(file)]]],
                ["name": "Nothing", "items": [["file": "/nowhere.mp4"]]],
            ],
            "output": [
                "kind": "kms", "width": .integer(Int64(size.width)), "height": .integer(Int64(size.height)),
                "drawing": "processor", "transitionMs": 0,
            ],
            "sound": ["kind": "alsa", "unmute": false],
            "log": ["level": "error"],
            "playback": ["autoTune": "One", "playoutDelayMs": 200, "historyMs": 10_000, "historyLimitMB": 8],
            "http": ["role": "administrator"],
        ]
    }

    // MARK: Announcements

    private static func announcement(_ name: String, _ number: Int64, port: UInt16) -> Announcement {
        Announcement(
            streamer: .init("head"), sessionNumber: number, license: license, name: name,
            transport: Transport(address: FaultySender.group, port: port, encapsulation: .rtp(payloadType: 33)),
            interval: .milliseconds(500))
    }

    private static func packet(
        _ kind: SAPPacket.Kind, _ name: String, _ number: Int64, port: UInt16, from origin: String = "127.0.0.1"
    ) throws -> [UInt8] {
        SAPPacket.encoded(
            kind, origin: try #require(NumericAddress(origin)), payloadType: .announcement,
            payload: announcement(name, number, port: port).encoded)
    }

    func announce(
        _ kind: SAPPacket.Kind, _ name: String, _ number: Int64, port: UInt16, from origin: String = "127.0.0.1"
    ) throws {
        let packet = try Self.packet(kind, name, number, port: port, from: origin)
        // A network may lose it.
        packet.withUnsafeBytes { try? announcementSocket.send($0) }
    }

    // MARK: Time

    func pause(_ milliseconds: Int64) {
        SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(milliseconds))
    }

    /// For as long as a fault of a venue lasts.
    func pause(_ range: ClosedRange<Int64>) { pause(Int64.random(in: range, using: &random)) }

    // MARK: Pictures

    /// What people have seen.
    private struct Seen {
        let session: Int?
        let pictures: Int64
        let flips: Int64
    }

    private var seen: Seen {
        let region = media.plane.regionCounters("main")
        return Seen(session: region.session, pictures: region.picturesPresented, flips: screen.now.shown)
    }

    /// How long it takes from now until three new pictures of the channel are seen.
    /// - Returns: nil if that takes longer than `span`.
    func timeToPicture(within span: Nanoseconds = patience, of channel: String = wanted) throws -> Nanoseconds? {
        let (start, before) = (SystemClock.monotonic(), seen)
        while SystemClock.monotonic() - start < span {
            pause(20)
            let now = seen
            guard now.pictures >= before.pictures + 3, now.flips >= before.flips + 3 else { continue }
            let time = SystemClock.monotonic() - start
            let status = try box.answer("status")
            guard status["isPlaying"] == true, status["channel"] == .string(channel),
                status["session"] == now.session.map({ .integer(Int64($0)) })
            else { continue }
            return time
        }
        return nil
    }

    /// A new session of the channel, and with it the decoder of the device, plays.
    func playAnew() throws {
        try tune("Two")
        try tune("One")
        _ = try timeToPicture()
    }

    func tune(_ channel: String) throws { _ = try box.answer("tune", channel) }

    /// Why nothing is seen, for people.
    func report() -> String {
        let status = (try? box.answer("status"))?.text() ?? ""
        let stats = (try? box.answer("stats"))?.text() ?? ""
        let events = (try? box.answer("events"))?["events"]?.array ?? []
        return "\(status)\n\(stats)\n\(screen.now)\n" + events.suffix(30).map { $0.text() }.joined(separator: "\n")
    }

    func end() -> Status? {
        defer { for stop in [one.stop, two.stop, announcer.stop] { stop() } }
        device.mode.set(.works)
        return box.end()
    }
}

/// Files of this machine.
enum FaultFilms {
    static let file = SettingsVenue.film
}
