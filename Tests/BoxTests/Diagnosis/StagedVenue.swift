// SPDX-License-Identifier: Apache-2.0
import Announcements
import Buffers
import Foundation
import JSON
import Network
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Box

/// A network of its own with a head-end, and others of which something is wrong. Its thread is in the network namespace.
final class StagedVenue {
    /// Ports of what is sent, each to `FaultySender.group`.
    enum Stream: UInt16, CaseIterable {
        case good = 21_600
        case scrambled = 21_620
        case withoutTables = 21_640
        case lossy = 21_660
        case ofUnknownCodec = 21_680
        /// Of the head-end that dies.
        case mortal = 21_690
        /// Nothing is sent there.
        case silent = 21_700
    }

    /// Ports of what is announced, each at `announcements`.
    enum Announcer: UInt16, CaseIterable {
        /// `One`, which is good.
        case good = 21_720
        /// The same by another venue.
        case ofAnotherVenue = 21_722
        case malformed = 21_724
        /// `One`, to which nothing is sent.
        case ofSilentStream = 21_726
        /// `One` of the head-end that dies.
        case mortal = 21_730
        /// Nothing is announced there.
        case silent = 21_728
    }

    static let announcements = "239.255.77.71"
    private let senders: [FaultySender]
    private let stopping = StopFlag()
    /// Raised when the head-end that dies has died.
    private let death = StopFlag()
    private let announcing: DedicatedThread

    init() throws {
        try #require(OwnNetwork.connect())
        let isMade = OwnNetwork.shell(
            // No address; switched off; no carrier, because its other end is off.
            "ip link add bare0 type veth peer name bare1", "ip link set bare0 addrgenmode none",
            "ip link set bare1 up", "ip link set bare0 up",
            "ip link add off0 type veth peer name off1", "ip link set off1 up",
            "ip link add dark0 type veth peer name dark1", "ip addr add 10.9.0.1/24 dev dark0", "ip link set dark0 up")
        try #require(isMade)
        let film = try LoopedFilm("testsrc2", version: 0)
        senders = try [
            (Stream.good, film), (.scrambled, film), (.withoutTables, film), (.lossy, film),
            (.ofUnknownCodec, try Self.filmOfUnknownCodec()), (.mortal, film),
        ].map { try FaultySender(port: $0.rawValue, [$1]) }
        senders[1].change { $0.isScrambled = true }
        senders[2].change { $0.hasTables = false }
        senders[3].change { $0.network.loss = 0.2 }
        announcing = try Self.announce(stopping, mortal: death)
    }

    /// The film with a program map that says VVC (stream type 0x33) of its video.
    private static func filmOfUnknownCodec() throws -> LoopedFilm {
        var octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: SettingsVenue.film)))
        for start in stride(from: 0, to: octets.count, by: 188)
        where octets[start + 1] & 0x1f == 0x10 && octets[start + 2] == 0 {
            // The entry of H.264 on PID 0x100.
            for place in start + 4..<start + 180 where octets[place..<place + 3].elementsEqual([0x1b, 0xe1, 0]) {
                octets[place] = 0x33
            }
        }
        return LoopedFilm(octets, version: 1)
    }

    private static func packet(venue: String, to stream: Stream) throws -> [UInt8] {
        let announcement = Announcement(
            streamer: .init("head"), sessionNumber: 1,
            license: FieldOfUse(venueName: venue, contentOwner: "Club", appDeveloper: "Us"), name: "One",
            transport: Transport(
                address: FaultySender.group, port: stream.rawValue, encapsulation: .rtp(payloadType: 33)),
            interval: .milliseconds(500))
        return SAPPacket.encoded(
            origin: try VenueAnnouncer.origin(), payloadType: .announcement, payload: announcement.encoded)
    }

    private static func announce(_ stopping: StopFlag, mortal death: StopFlag) throws -> DedicatedThread {
        let malformed = SAPPacket.encoded(
            origin: try VenueAnnouncer.origin(), payloadType: .sessionDescription,
            payload: Array("v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\nm=video what\r\n".utf8))
        let packets = try [
            (Announcer.good, packet(venue: "Arena", to: .good)),
            (.ofAnotherVenue, packet(venue: "Stadium", to: .good)), (.malformed, malformed),
            (.ofSilentStream, packet(venue: "Arena", to: .silent)), (.mortal, packet(venue: "Arena", to: .mortal)),
        ]
        return try DedicatedThread("announcers") {
            // Without a socket nothing is announced, and the test fails.
            let sockets = packets.compactMap { announcer, packet in
                (try? SendingSocket(to: announcements, port: announcer.rawValue, interface: "lo")).map {
                    (announcer, $0, packet)
                }
            }
            while !stopping.isRaised {
                for (announcer, socket, packet) in sockets where announcer != .mortal || !death.isRaised {
                    packet.withUnsafeBytes { try? socket.send($0) }
                }
                SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(250))
            }
        }
    }

    /// The head-end that dies announces nothing and sends nothing any more.
    func killHeadEnd() {
        death.raise()
        senders[senders.count - 1].change { $0.isSilent = true }
    }

    func stop() {
        stopping.raise()
        announcing.join()
        for sender in senders { sender.stop() }
    }
}
