// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import TestSupport
import Testing
import Time

@testable import Synchronisation

/// A companion and a television, ours both, and between them sockets that keep the order, take their time, and until they
/// are calm break, refuse, swallow and damage.
struct SimulatedTelevision {
    private enum Occurrence {
        case clientOpened(CompanionConnection)
        case clientReceived(CompanionConnection, [UInt8])
        case clientClosed(CompanionConnection, CompanionConnection.End)
        case serverReceived(CompanionConnection, [UInt8])
        case serverSent(CompanionConnection, Int)
        case serverClosed(CompanionConnection)
        case wallClock(WallClockURL, isAvailable: Bool)
    }

    private struct Socket {
        let connection: CompanionConnection
        /// The order is kept: nothing arrives before this.
        var last: Monotonic
        /// The server knows of it.
        var isServed = false
    }

    static let contents = ["dvb://1.2.3", "dvb://1.2", "dvb://233a.1004.1044;363a", "urn:other"]
    static let tsURLs = ["ws://a/ts", "ws://b/ts"].map { CompanionScript.url($0) }

    var session: CompanionSession
    var cii: CIIServer
    var ts = TSServer(mostPendingOctets: 1_000)
    var isCalm = false
    private(set) var random: SplitMix64
    private(set) var now = CompanionScript.beginning
    private(set) var turns = 0
    private(set) var attempts: [CompanionConnection.Service: [Monotonic]] = [:]
    private(set) var events: [CompanionEvent] = []
    private var mutation: Mutation
    private var queue: [(at: Monotonic, number: Int, what: Occurrence)] = []
    private var queued = 0
    /// What the session has asked for and not closed, and what was not reported to it as closed.
    private var live: [CompanionConnection.Service: CompanionConnection] = [:]
    private var sockets: [CompanionConnection: Socket] = [:]
    private var followed: WallClockURL?
    private var isWallClockAvailable = false

    init(seed: UInt64, _ settings: CompanionSettings) {
        random = SplitMix64(seed: seed)
        mutation = Mutation(seed: seed)
        session = CompanionSession(settings, random: SplitMix64(seed: ~seed), at: now)
        cii = CIIServer(CompanionScript.information, mostPendingOctets: 4_000)
        perform(session.start(at: now))
    }

    var wallClock: WallClockTime { WallClockTime(nanoseconds: now.nanoseconds + 77) }
    var servedClients: Int { sockets.values.count(where: \.isServed) }

    private static func client(_ connection: CompanionConnection) -> CompanionClient {
        CompanionClient(number: connection.number)
    }

    /// True with this probability in percent, never when all is calm.
    private mutating func fails(_ chance: Int) -> Bool { !isCalm && random.percent(chance) }

    // MARK: Time

    /// Goes on until then, or until nothing happens any more.
    mutating func run(until end: Monotonic) {
        while true {
            let next = [queue.first?.at, session.nextTick, ts.nextTick].compactMap { $0 }.min()
            guard let next, next <= end else { break }
            now = max(now, next)
            turns += 1
            guard turns < 100_000 else {
                Issue.record("a timer spins")
                return
            }
            if let first = queue.first, first.at <= now {
                queue.removeFirst()
                handle(first.what)
            } else if let due = session.nextTick, due <= now {
                perform(session.tick(at: now))
            } else {
                perform(ts.tick(at: now), of: .timeline)
            }
            check()
        }
        now = max(now, end)
    }

    private mutating func schedule(_ what: Occurrence, at instant: Monotonic) {
        queued += 1
        let place = queue.firstIndex { $0.at > instant } ?? queue.endIndex
        queue.insert((instant, queued, what), at: place)
    }

    private mutating func later() -> Monotonic {
        let most: Int64 = isCalm ? 50 : random.percent(10) ? 7_000 : 300
        return now + .microseconds(Int64.random(in: 0...most * 1_000, using: &random))
    }

    /// After everything that is under way on the same connection.
    private mutating func deliver(_ what: Occurrence, on connection: CompanionConnection) {
        let instant = max(later(), sockets[connection]?.last ?? now)
        sockets[connection]?.last = instant
        schedule(what, at: instant)
    }

    private mutating func damaged(_ text: [UInt8]) -> [UInt8] { fails(8) ? mutation.damage(text) : text }

    // MARK: The session's side

    private mutating func perform(_ actions: [CompanionAction]) {
        for action in actions {
            switch action {
            case .connect(let connection, _): connect(connection)
            case .send(let connection, let text):
                #expect(live[connection.service] == connection)
                deliver(.serverReceived(connection, damaged(text)), on: connection)
            case .close(let connection, _):
                #expect(live[connection.service] == connection)
                live[connection.service] = nil
                deliver(.serverClosed(connection), on: connection)
            case .follow(let url):
                #expect(followed != url)
                (followed, isWallClockAvailable) = (url, false)
                if !fails(20) { schedule(.wallClock(url, isAvailable: true), at: later()) }
            case .stopFollowing:
                #expect(followed != nil)
                (followed, isWallClockAvailable) = (nil, false)
            case .report(let event): events.append(event)
            }
        }
    }

    private mutating func connect(_ connection: CompanionConnection) {
        #expect(live[connection.service] == nil, "a second connection to \(connection.service)")
        if connection.service == .timeline {
            #expect(isWallClockAvailable && session.information != nil, "CSS-21: out of order")
        }
        if let last = attempts[connection.service]?.last { #expect(now - last >= .seconds(1)) }
        attempts[connection.service, default: []].append(now)
        live[connection.service] = connection
        sockets[connection] = Socket(connection: connection, last: now)
        // Nobody answers, or somebody who has nothing to say.
        if fails(8) { return }
        if fails(8) {
            deliver(.clientOpened(connection), on: connection)
            return
        }
        if fails(15) {
            deliver(.clientClosed(connection, random.percent(50) ? .failed : .refused(status: 503)), on: connection)
            return
        }
        let isTimeline = connection.service == .timeline
        if let refusal = isTimeline ? ts.admit(path: "/ts") : cii.admit(path: "/cii") {
            deliver(.clientClosed(connection, .refused(status: refusal.rawValue)), on: connection)
            return
        }
        deliver(.clientOpened(connection), on: connection)
        sockets[connection]?.isServed = true
        let client = Self.client(connection)
        perform(isTimeline ? ts.opened(client, at: now) : cii.opened(client), of: connection.service)
    }

    private mutating func handle(_ what: Occurrence) {
        switch what {
        case .clientOpened(let connection): perform(session.opened(connection, at: now))
        case .clientReceived(let connection, let text): perform(session.received(text, on: connection, at: now))
        case .clientClosed(let connection, let end):
            if live[connection.service] == connection { live[connection.service] = nil }
            perform(session.closed(connection, end, at: now))
        case .serverReceived(let connection, let text):
            guard sockets[connection]?.isServed == true else { return }
            if connection.service == .timeline {
                perform(ts.received(text, from: Self.client(connection), wallClock: wallClock), of: .timeline)
            } else {
                cii.received(text, from: Self.client(connection))
            }
        case .serverSent(let connection, let octets):
            if connection.service == .timeline {
                ts.sent(Self.client(connection), octets: octets)
            } else {
                cii.sent(Self.client(connection), octets: octets)
            }
        case .serverClosed(let connection): closedAtServer(connection)
        case .wallClock(let url, let isAvailable):
            if url == followed { isWallClockAvailable = isAvailable }
            perform(
                isAvailable ? session.wallClockAvailable(url, at: now) : session.wallClockLost(url, at: now))
        }
    }

    // MARK: The television's side

    private mutating func perform(_ actions: [CompanionServerAction], of service: CompanionConnection.Service) {
        for action in actions {
            switch action {
            case .send(let client, let text):
                let connection = CompanionConnection(service: service, number: client.number)
                deliver(.clientReceived(connection, damaged(text)), on: connection)
                // A client that takes nothing any more.
                if !fails(3) { schedule(.serverSent(connection, text.count), at: later()) }
            case .close(let client, let status):
                let connection = CompanionConnection(service: service, number: client.number)
                deliver(.clientClosed(connection, .closed(status: status)), on: connection)
                deliver(.serverClosed(connection), on: connection)
            }
        }
    }

    private mutating func closedAtServer(_ connection: CompanionConnection) {
        guard sockets.removeValue(forKey: connection)?.isServed == true else { return }
        let client = Self.client(connection)
        if connection.service == .timeline { ts.closed(client) } else { cii.closed(client) }
    }

    mutating func publish(_ information: ContentInformation) { perform(cii.publish(information), of: .information) }

    mutating func publish(_ timelines: PublishedTimelines) {
        perform(ts.publish(timelines, wallClock: wallClock), of: .timeline)
    }

    mutating func enable(_ isEnabled: Bool) {
        perform(cii.setEnabled(isEnabled), of: .information)
        perform(ts.setEnabled(isEnabled), of: .timeline)
    }

    /// Every connection breaks, on both sides.
    mutating func breakAll(_ chance: Int = 100) {
        for connection in sockets.keys.sorted(by: { $0.description < $1.description }) where random.percent(chance) {
            deliver(.clientClosed(connection, .failed), on: connection)
            deliver(.serverClosed(connection), on: connection)
        }
    }

    mutating func tellWallClock(isAvailable: Bool) {
        if let followed { schedule(.wallClock(followed, isAvailable: isAvailable), at: now) }
    }

    /// Something happens that a test can think of.
    mutating func disturb() {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: breakAll(40)
        case 1: tellWallClock(isAvailable: random.percent(70))
        case 2: enable(random.percent(80))
        case 3...5:
            var information = cii.information
            if random.percent(30) { information.tsURL = random.percent(80) ? random.one(of: Self.tsURLs) : nil }
            if random.percent(30) { information.contentID = random.one(of: Self.contents) }
            if random.percent(30) { information.contentIDStatus = random.one(of: [.partial, .final]) }
            if random.percent(20) {
                information.wcURL = random.one(of: [CompanionScript.wcURL, CompanionScript.otherWCURL, nil])
            }
            if random.percent(20) {
                information.timelines = random.percent(50) ? [] : CompanionScript.information.timelines
            }
            publish(information)
        case 6 where random.percent(10):
            perform(session.stop(at: now))
            perform(session.start(at: now))
        default: publish(anyTimelines())
        }
    }

    mutating func anyTimelines() -> PublishedTimelines {
        let timestamp = CompanionScript.timestamp(
            wallClock.nanoseconds - Int64.random(in: -1_000_000_000...1_000_000_000, using: &random),
            random.percent(80) ? Int64.random(in: 0...1 << 33, using: &random) : nil,
            random.one(of: [0, 1, 1, 1, -2]))
        let properties = TimelineProperties(.mpeg)
        return PublishedTimelines(
            contentID: cii.information.contentID,
            timelines: [.pts: .init(properties, random.percent(90) ? timestamp : nil)])
    }

    // MARK: What always holds

    private func check() {
        #expect(live.count <= 2)
        #expect((session.timeline != nil) == (session.phase == .following))
        if session.timeline != nil { #expect(isWallClockAvailable && live[.timeline] != nil) }
        if let next = session.nextTick { #expect(next <= now + .seconds(30)) }
        for connection in sockets.keys {
            let client = Self.client(connection)
            if connection.service == .timeline {
                #expect(ts.pendingOctets(of: client) <= 1_000)
            } else {
                #expect(cii.pendingOctets(of: client) <= 4_000)
            }
        }
    }
}
