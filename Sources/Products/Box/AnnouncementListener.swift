// SPDX-License-Identifier: Apache-2.0
import Media
import Network
import Settings
import System
import Time

/// The sockets of the announcement groups, on the control plane's loop.
final class AnnouncementListener {
    private static let largestAnnouncement = 16_384
    private static let batch = 32

    /// A socket and the memory of its datagrams, with one owner.
    private final class Group {
        let socket: DatagramSocket
        var batch = DatagramBatch(slots: AnnouncementListener.batch, octets: AnnouncementListener.largestAnnouncement)
        var watch: EventLoop.Watch?

        init(_ socket: consuming DatagramSocket) { self.socket = socket }
    }

    private let loop: EventLoop
    private let interface: String
    private let handler: (UnsafeRawBufferPointer, String, Monotonic) -> Void
    private var missing: [Settings.Group]
    private var groups: [Group] = []

    /// Joins nothing yet.
    /// - Parameter handler: octets, sender's numeric address, arrival.
    init(
        _ settings: Settings, loop: EventLoop, handler: @escaping (UnsafeRawBufferPointer, String, Monotonic) -> Void
    ) {
        self.loop = loop
        self.handler = handler
        interface = settings.network.interface ?? ""
        missing = settings.announcements.groups
    }

    /// Joins the groups that are not joined yet: the interface may come up after us.
    /// - Returns: why those could not be joined that still are not.
    func joinMissing() -> [SystemCallError] {
        var failures: [SystemCallError] = []
        missing = missing.filter { group in
            do throws(SystemCallError) {
                groups.append(try join(group))
                return false
            } catch {
                failures.append(error)
                return true
            }
        }
        return failures
    }

    private func join(_ group: Settings.Group) throws(SystemCallError) -> Group {
        let joined = Group(
            try DatagramSocket(
                listeningTo: group.address, port: group.port, interface: interface, bufferOctets: 1 << 20))
        joined.watch = try loop.watch(joined.socket.rawValue, for: .readable) { [unowned joined, handler] _ in
            Self.receive(joined, handler)
        }
        return joined
    }

    func stop() {
        for group in groups { if let watch = group.watch { loop.unwatch(watch) } }
        groups = []
    }

    private static func receive(
        _ group: Group, _ handler: (UnsafeRawBufferPointer, String, Monotonic) -> Void
    ) {
        // An error of the socket (its interface went) shows as silence; the loop goes on.
        let count = (try? group.batch.receive(from: group.socket, waits: false)) ?? 0
        for index in 0..<count {
            let (source, arrival) = (group.batch.source(index), group.batch.arrival(index))
            group.batch.withBytes(index) { handler($0, source, arrival) }
        }
    }
}
