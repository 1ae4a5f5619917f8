// SPDX-License-Identifier: Apache-2.0
import Announcements
import Buffers
import Network
import Synchronization
import System
import Testing
import Time
import Venue

/// Announces channels ten times a second: one always, another until it is withdrawn.
final class VenueAnnouncer {
    /// What the thread and the test share. The lock is held while something is sent, so that nothing follows a deletion.
    private final class Shared: Sendable {
        let isAnnounced = Mutex(true)
    }

    private let shared = Shared()
    private let socket: DatagramSocket
    private let announcement: Announcement
    private let stopping = StopFlag()
    private let thread: DedicatedThread

    init(to group: String, port: UInt16, always: [UInt8], now announcement: Announcement) throws {
        socket = try DatagramSocket(sendingTo: group, port: port, interface: "lo")
        self.announcement = announcement
        let sender = try DatagramSocket(sendingTo: group, port: port, interface: "lo")
        let packet = try Self.packet(.announcement, announcement)
        let (shared, stopping) = (shared, stopping)
        thread = try DedicatedThread("announcer") {
            while !stopping.isRaised {
                // A network may lose it; the next one follows.
                always.withUnsafeBytes { try? sender.send($0) }
                shared.isAnnounced.withLock { isAnnounced in
                    if isAnnounced { packet.withUnsafeBytes { try? sender.send($0) } }
                }
                SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(100))
            }
        }
    }

    static func origin() throws -> NumericAddress { try #require(NumericAddress("127.0.0.1")) }

    private static func packet(_ kind: SAPPacket.Kind, _ announcement: Announcement) throws -> [UInt8] {
        SAPPacket.encoded(
            kind, origin: try origin(), payloadType: .announcement, payload: announcement.encoded)
    }

    func announce() { shared.isAnnounced.withLock { $0 = true } }

    func withdraw() throws {
        let packet = try Self.packet(.deletion, announcement)
        try shared.isAnnounced.withLock { isAnnounced in
            isAnnounced = false
            try packet.withUnsafeBytes { try socket.send($0) }
        }
    }

    func announceOnce(_ announcement: Announcement) throws {
        try Self.packet(.announcement, announcement).withUnsafeBytes { try socket.send($0) }
    }

    func stop() {
        stopping.raise()
        thread.join()
    }
}
