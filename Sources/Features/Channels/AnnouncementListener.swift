// SPDX-License-Identifier: Apache-2.0
import LineUp
import Media
import Network
import Settings
import System
import Time
import Venue

/// Receives the datagrams of the announcement groups on the control loop.
final class AnnouncementListener {
    /// Octets. It is more than the line-up accepts: a longer announcement is cut here and refused there for its length.
    private static let largestAnnouncement = 16_384
    private static let batch = 32

    /// A joined group: its socket and the memory of its datagrams.
    private final class Group {
        let group: Settings.Group
        let socket: DatagramSocket
        /// The link on which the group was joined; nil if none is known.
        let attachment: LinkAttachment?
        var patience: GroupPatience
        var batch = DatagramBatch(slots: AnnouncementListener.batch, octets: AnnouncementListener.largestAnnouncement)
        var watch: EventLoop.Watch?
        var rhythm = ListeningRhythm()
        /// Datagrams that the kernel has dropped at the socket so far.
        var drops: UInt32 = 0

        init(_ group: Settings.Group, _ socket: consuming DatagramSocket, on attachment: LinkAttachment?) {
            self.group = group
            self.attachment = attachment
            self.socket = socket
            patience = GroupPatience(joinedAt: SystemClock.monotonic())
        }
    }

    private let loop: EventLoop
    /// Empty if the route decides.
    private var interface: String
    /// Called with the octets, the sender's address and the arrival of each announcement. This and `onRead` are to be set
    /// before the first group is joined.
    var handler: (UnsafeRawBufferPointer, NumericAddress, Monotonic) -> Void = { _, _, _ in }
    /// Called when the announcements of a read have been handled, with the number of those that the kernel dropped
    /// since the read before.
    var onRead: (_ dropped: Int) -> Void = { _ in }
    private var missing: [Settings.Group]
    private var groups: [Group] = []
    /// nil when rtnetlink is unavailable.
    private var links: LinkState?

    /// Joins nothing yet.
    init(_ settings: Settings, loop: EventLoop) {
        self.loop = loop
        interface = settings.network.interface ?? ""
        missing = settings.announcements.groups
    }

    /// Receives the groups of these settings from now on. `joinMissing` joins those that are new, and all if the
    /// interface is another one.
    func use(_ settings: Settings) {
        let (wanted, onInterface) = (settings.announcements.groups, settings.network.interface ?? "")
        for index in groups.indices.reversed()
        where onInterface != interface || !wanted.contains(groups[index].group) {
            leave(groups.remove(at: index))
        }
        interface = onInterface
        missing = wanted.filter { group in !groups.contains { $0.group == group } }
    }

    /// Joins the groups that are not joined yet. The interface may come up after the box.
    /// - Returns: one error for each group that could not be joined.
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
        let attachment = attachment(of: group)
        if attachment == nil, links != nil, !interface.isEmpty {
            throw SystemCallError("join \(group) on \(interface)", .networkDown)
        }
        let joined = Group(
            group,
            try DatagramSocket(
                listeningTo: group.address, port: group.port, interface: interface, bufferOctets: 1 << 20),
            on: attachment)
        joined.watch = try loop.watch(joined.socket.rawValue, for: .readable) { [unowned joined, unowned self] _ in
            receive(joined)
        }
        return joined
    }

    /// nil if the link of the group is down or links are unknown. If they are unknown the kernel chooses the interface.
    private func attachment(of group: Settings.Group) -> LinkAttachment? {
        guard let links else { return nil }
        guard interface.isEmpty else { return links.attachment(named: interface) }
        return RouteLookup.interface(toward: group.address).flatMap { links.attachment(index: $0) }
    }

    /// Leaves the groups whose link has changed. `joinMissing` joins them again once their link is up.
    func follow(_ links: LinkState?) {
        self.links = links
        for index in groups.indices.reversed() where groups[index].attachment != attachment(of: groups[index].group) {
            missing.append(groups[index].group)
            leave(groups.remove(at: index))
        }
    }

    /// Leaves the groups. `joinMissing` joins them again.
    func leaveAll() {
        missing += groups.map(\.group)
        stop()
    }

    /// Leaves the groups that have been silent for too long and joins them again. The interface is looked up anew by
    /// its name. A group that cannot be joined again is left to `joinMissing`.
    /// - Returns: the number of groups that were left (SVM-110). A group on which nobody announces is joined again ever
    ///   more seldom.
    func restartSilent(at now: Monotonic) -> Int {
        var count = 0
        for index in groups.indices.reversed() where groups[index].patience.isOver(at: now) {
            let patience = groups[index].patience
            let group = groups[index].group
            leave(groups.remove(at: index))
            count += 1
            do throws(SystemCallError) {
                let joined = try join(group)
                joined.patience = patience
                groups.append(joined)
            } catch {
                missing.append(group)  // `joinMissing` returns the reason
            }
        }
        return count
    }

    /// Whether at least one group is joined. It is also true if the settings name no group.
    var isListening: Bool { !groups.isEmpty || missing.isEmpty }

    func stop() {
        for group in groups { leave(group) }
        groups = []
    }

    /// The membership ends when the last reference to the group is released, which closes its socket.
    private func leave(_ group: Group) {
        if let watch = group.watch { loop.unwatch(watch) }
    }

    private func receive(_ group: Group) {
        // An error of the socket, such as an interface that is gone, shows as silence; the loop goes on.
        let count = (try? group.batch.receive(from: group.socket, waits: false)) ?? 0
        if count > 0 { group.patience.heard(at: group.batch.arrival(count - 1)) }
        for index in 0..<count {
            let (sender, arrival) = (group.batch.sender(index), group.batch.arrival(index))
            group.batch.withBytes(index) { handler($0, sender, arrival) }
        }
        if count > 0 {
            let dropped = group.batch.kernelDrops &- group.drops
            group.drops = group.batch.kernelDrops
            onRead(Int(dropped))
        }
        let rest = group.rhythm.read(count, of: Self.batch)
        if rest > .zero { pause(group, for: rest) }
    }

    /// Reads the group no more for a while; its datagrams wait in the kernel.
    private func pause(_ group: Group, for rest: Nanoseconds) {
        guard let watch = group.watch else { return }
        do throws(SystemCallError) {
            try loop.modify(watch, for: [])
        } catch {
            return  // read without a rest
        }
        _ = loop.after(rest) { [weak group, unowned loop] in
            guard let watch = group?.watch else { return }
            // It fails only without memory in the kernel; then the group is silent, and is joined anew for that.
            try? loop.modify(watch, for: .readable)
        }
    }
}
