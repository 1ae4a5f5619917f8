// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Network
import System
import Time
import Venue

/// The announcements of a group to and from the other boxes, by multicast on the link of each address.
///
/// Sockets are opened again while an interface is not there, and when a box does not even hear itself: then the interface
/// was away, and its groups with it.
/// - Thread: the loop's only.
public final class GroupLink {
    private static let checks = Nanoseconds.seconds(1)
    private static let deafness = Nanoseconds.seconds(3)
    /// Between two datagrams that are sent.
    private static let leastPause = Nanoseconds.milliseconds(50)
    /// Datagrams that are read at once. After as many a port rests, so that a flood costs the loop little.
    private static let batch = 16
    private static let rest = Nanoseconds.milliseconds(20)

    private let loop: EventLoop
    private let addresses: [NumericAddress]
    private let received: (GroupAnnouncement) -> Void
    private var correspondence: GroupCorrespondence
    private var ports: [GroupPort.Place: (port: GroupPort, watch: EventLoop.Watch?)] = [:]
    private var batch: DatagramBatch
    private var timers: [EventLoop.Timer] = []
    private var last: GroupAnnouncement?
    private var sent: Monotonic?
    private var isSending = false
    private var isRunning = true
    /// Why one of the addresses has no sockets, or the last datagram was not sent; nil if all is well.
    public private(set) var problem: String?

    /// - Parameters:
    ///   - addresses: of interfaces of this machine.
    ///   - received: called on the loop's thread for each announcement of another box.
    public init(
        _ correspondence: GroupCorrespondence, at addresses: [NumericAddress], loop: EventLoop,
        received: @escaping (GroupAnnouncement) -> Void
    ) {
        self.loop = loop
        self.addresses = addresses
        self.received = received
        self.correspondence = correspondence
        batch = DatagramBatch(slots: Self.batch, octets: GroupDatagram.mostOctets)
        open()
        timers = [loop.every(Self.checks) { [weak self] in self?.open() }]
    }

    public var counters: GroupCounters { correspondence.counters }

    /// Tells this to the group, now or when the last announcement was long enough ago.
    public func announce(_ announcement: GroupAnnouncement) {
        last = announcement
        sendSoon()
    }

    public func stop() {
        isRunning = false
        for timer in timers { loop.cancel(timer) }
        timers = []
        for place in Array(ports.keys) { close(place) }
    }

    // MARK: Sockets

    private func open() {
        guard isRunning else { return }
        let now = SystemClock.monotonic()
        problem = nil
        for (place, entry) in ports where now - entry.port.heard > Self.deafness { close(place) }
        for address in addresses {
            guard let interface = LocalInterface.name(of: address) else {
                problem = "no interface has the address \(address)"
                continue
            }
            let place = GroupPort.Place(interface: interface, isIPv6: address.isIPv6)
            guard ports[place] == nil else { continue }
            do throws(SystemCallError) {
                let port = try GroupPort(at: place, now: now)
                ports[place] = (port, try watch(port))
            } catch {
                problem = "\(error)"
            }
        }
    }

    private func watch(_ port: GroupPort) throws(SystemCallError) -> EventLoop.Watch {
        try loop.watch(port.descriptor, for: .readable) { [weak self, unowned port] _ in self?.receive(port) }
    }

    private func close(_ place: GroupPort.Place) {
        guard let entry = ports.removeValue(forKey: place) else { return }
        if let watch = entry.watch { loop.unwatch(watch) }
    }

    // MARK: Datagrams

    private func sendSoon() {
        guard isRunning, !isSending else { return }
        let now = SystemClock.monotonic()
        let due = sent.map { $0 + Self.leastPause } ?? now
        guard now < due else { return send(at: now) }
        isSending = true
        _ = loop.after(due - now) { [weak self] in
            guard let self else { return }
            isSending = false
            send(at: SystemClock.monotonic())
        }
    }

    private func send(at now: Monotonic) {
        guard isRunning, let last else { return }
        sent = now
        let octets = correspondence.write(last, at: now)
        for entry in ports.values {
            do throws(SystemCallError) {
                try entry.port.send(octets)
            } catch {
                correspondence.sendingFailed()
                problem = "\(error)"
            }
        }
    }

    private func receive(_ port: GroupPort) {
        let now = SystemClock.monotonic()
        let count: Int
        do throws(SystemCallError) {
            count = try port.receive(into: &batch, at: now)
        } catch {
            problem = "\(error)"
            return close(port.place)
        }
        if count == Self.batch { rest(port) }
        // Announcements are handed on at the end: they may end this link.
        var announcements: [GroupAnnouncement] = []
        for index in 0..<count {
            guard !batch.isTruncated(index) else {
                correspondence.oversizedReceived()
                continue
            }
            switch batch.withBytes(index, { correspondence.read($0, at: now) }) {
            case .announcement(let announcement): announcements.append(announcement)
            case .unanswered(let isNew): if isNew { sendSoon() }
            case .own, .refused: break
            }
        }
        for announcement in announcements where isRunning { received(announcement) }
    }

    private func rest(_ port: GroupPort) {
        guard let watch = ports[port.place]?.watch else { return }
        correspondence.rested()
        loop.unwatch(watch)
        ports[port.place]?.watch = nil
        _ = loop.after(Self.rest) { [weak self] in
            guard let self, ports[port.place]?.port === port else { return }
            do throws(SystemCallError) {
                ports[port.place]?.watch = try self.watch(port)
            } catch {
                problem = "\(error)"
                close(port.place)
            }
        }
    }
}
