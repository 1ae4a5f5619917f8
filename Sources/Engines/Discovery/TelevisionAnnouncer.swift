// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Time
import Venue

/// Announces a device with services for companion screens by SSDP and answers searches, without a socket.
///
/// A pure value: any messages of any clients may be given.
public struct TelevisionAnnouncer: Sendable {
    public enum Action: Hashable, Sendable {
        /// To `DiscoveryMessage.address` and `port`.
        case announce([UInt8])
        case answer([UInt8], to: NumericAddress, port: UInt16)
    }

    public struct Counters: Hashable, Sendable {
        public var searches: UInt64 = 0
        public var answers: UInt64 = 0
        public var messagesMalformed: UInt64 = 0
        /// Messages from other networks.
        public var messagesForeign: UInt64 = 0
        /// Searches that come more often than they are answered.
        public var searchesOverRate: UInt64 = 0
    }

    private struct Answer {
        let client: NumericAddress
        let port: UInt16
        let due: Monotonic
    }

    /// A client asks three times at once, and again after some seconds.
    static let perClient = RateLimit(atOnce: 8, perSecond: 1)
    static let ofAll = RateLimit(atOnce: 100, perSecond: 20)
    static let mostClients = 256
    /// Searches may ask for more; nobody waits for it.
    static let longestWait = Nanoseconds.seconds(5)
    /// Of the first announcement: datagrams are lost.
    static let repeats = [Nanoseconds.milliseconds(300), .seconds(1)]

    private let announcement: DiscoveryAnnouncement
    private var nextAnnouncement: Monotonic
    private var remainingRepeats = Self.repeats[...]
    private var waiting: [Answer] = []
    private var clients: [NumericAddress: RateMeter] = [:]
    private var all = RateMeter()
    public private(set) var counters = Counters()

    /// - Parameter announcement: of DIAL's service.
    public init(_ announcement: DiscoveryAnnouncement, at now: Monotonic) {
        self.announcement = announcement
        nextAnnouncement = now
    }

    public var nextTick: Monotonic { waiting.reduce(nextAnnouncement) { min($0, $1.due) } }

    public mutating func tick(at now: Monotonic, _ random: inout some RandomNumberGenerator) -> [Action] {
        let due = waiting.filter { $0.due <= now }
        waiting.removeAll { $0.due <= now }
        counters.answers += UInt64(due.count)
        let octets = DiscoveryMessage.answer(announcement).octets
        var actions = due.map { Action.answer(octets, to: $0.client, port: $0.port) }
        if nextAnnouncement <= now {
            actions.append(.announce(DiscoveryMessage.alive(announcement).octets))
            // Two of three may be lost.
            let span = remainingRepeats.popFirst() ?? .seconds(Int64(max(30, announcement.maximumAge / 3)))
            nextAnnouncement = now + Nanoseconds(Int64.random(in: span.count * 3 / 4...span.count, using: &random))
        }
        return actions
    }

    /// Announces again at once, as on a link that was not there before.
    public mutating func linkCame(at now: Monotonic) {
        nextAnnouncement = now
        remainingRepeats = Self.repeats[...]
    }

    /// What to send when the device goes.
    public var farewell: [Action] {
        let message = DiscoveryMessage.byebye(target: announcement.target, uniqueName: announcement.uniqueName)
        return [.announce(message.octets), .announce(message.octets)]
    }

    /// - Parameter isOnLink: whether the sender is in a network of the interface by which the message came.
    public mutating func datagramReceived(
        _ bytes: UnsafeRawBufferPointer, from sender: NumericAddress, port: UInt16, isOnLink: Bool, at now: Monotonic,
        _ random: inout some RandomNumberGenerator
    ) {
        guard isOnLink, port > 0, sender.isUnicast else {
            counters.messagesForeign += 1
            return
        }
        // What is wrong with it does not matter; it is counted.
        guard let message = try? DiscoveryMessage(bytes) else {
            counters.messagesMalformed += 1
            return
        }
        guard case .search(let search) = message,
            [DiscoverySearch.all, announcement.target, announcement.uniqueName].contains(search.target)
        else { return }
        counters.searches += 1
        guard admits(sender, at: now) else {
            counters.searchesOverRate += 1
            return
        }
        let most = search.maximumWait.map { min(Nanoseconds.seconds(Int64($0)), Self.longestWait) } ?? .zero
        let delay = Nanoseconds(Int64.random(in: 0...most.count, using: &random))
        waiting.append(Answer(client: sender, port: port, due: now + delay))
    }

    private mutating func admits(_ client: NumericAddress, at now: Monotonic) -> Bool {
        guard all.admits(Self.ofAll, at: now) else { return false }
        if clients[client] == nil, clients.count >= Self.mostClients {
            clients = clients.filter { !$0.value.isUnused(at: now) }
            guard clients.count < Self.mostClients else { return false }
        }
        var meter = clients[client] ?? RateMeter()
        guard meter.admits(Self.perClient, at: now) else { return false }
        meter.count(Self.perClient, at: now)
        clients[client] = meter
        all.count(Self.ofAll, at: now)
        return true
    }
}
