// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Time

/// A server of CSS-TS without its sockets: each client says once which timeline of which content it follows, and is told
/// where that is, or that it is not available, whenever this changes significantly.
///
/// A pure value: any events of any clients may be given. Of a client are kept its stem, its selector, the last timestamp
/// that it was sent and its presentation delays.
public struct TSServer: Sendable {
    /// How long a client may take to send its set-up data.
    public static let setupTimeout = Nanoseconds.seconds(5)
    /// A change below this is not told: clients would not follow it.
    public static let leastCorrection = TimelineFollower.leastCorrection

    private struct Following: Sendable {
        let stem: ContentIDStem
        let selector: TimelineSelector
        /// Nil before the first.
        var sent: ControlTimestamp?
        /// Nil if the client tells none.
        var delays: PresentationDelays?
    }

    private enum Client: Sendable {
        case awaitingSetup(deadline: Monotonic)
        case following(Following)

        /// Of the set-up data; nil once they are there.
        var deadline: Monotonic? { if case .awaitingSetup(let deadline) = self { deadline } else { nil } }
        var following: Following? { if case .following(let following) = self { following } else { nil } }
    }

    private var clients: ServedClients<Client>
    /// What is served.
    public private(set) var published = PublishedTimelines()
    /// What a common presentation delay may be.
    public let delayRange: ClosedRange<Nanoseconds>
    private var ownCounters = TSServerCounters()

    /// - Parameter mostPendingOctets: that may wait for one client.
    public init(
        admission: CompanionAdmission = CompanionAdmission(path: "/ts"), mostPendingOctets: Int = 16_384,
        delayRange: ClosedRange<Nanoseconds> = .zero ... .seconds(10)
    ) {
        clients = ServedClients(admission, mostPendingOctets: mostPendingOctets)
        self.delayRange = delayRange
    }

    public var admission: CompanionAdmission { clients.admission }
    public var clientCount: Int { clients.count }
    public var counters: TSServerCounters {
        var counters = ownCounters
        counters.clients = clients.counters
        return counters
    }

    func pendingOctets(of client: CompanionClient) -> Int { clients.pendingOctets(of: client) }

    /// When to call `tick`, if nothing else happens before; nil for never.
    public var nextTick: Monotonic? { clients.states.compactMap(\.deadline).min() }

    // MARK: Clients

    /// - Parameter path: of the handshake's request.
    /// - Returns: nil if the client is let in.
    public mutating func admit(path: String) -> CompanionAdmission.Refusal? { clients.admit(path: path) }

    public mutating func opened(_ client: CompanionClient, at now: Monotonic) -> [CompanionServerAction] {
        clients.opened(client, .awaitingSetup(deadline: now + Self.setupTimeout)).map { [$0] } ?? []
    }

    /// - Parameters:
    ///   - text: a text message, whole.
    ///   - wallClock: now, by the wall clock that clients follow.
    public mutating func received(
        _ text: [UInt8], from client: CompanionClient, wallClock: WallClockTime
    ) -> [CompanionServerAction] {
        switch clients[client] {
        case nil: return []
        case .awaitingSetup:
            // Whatever is wrong with them, the client is sent away.
            guard let setup = try? SetupData(parsing: text) else {
                ownCounters.setupsMalformed += 1
                return close(client)
            }
            clients.update(
                client, to: .following(Following(stem: setup.contentIDStem, selector: setup.timelineSelector)))
            return tell(client, wallClock: wallClock).map { [$0] } ?? []
        case .following(let following):
            // What cannot be read as one may be the other; what is neither is counted.
            if let timestamps = try? PresentationTimestamps(parsing: text) {
                take(timestamps, of: client, following)
            } else if (try? SetupData(parsing: text)) != nil {
                ownCounters.setupsRepeated += 1
                return close(client)
            } else {
                ownCounters.presentationsMalformed += 1
            }
            return []
        }
    }

    public mutating func sent(_ client: CompanionClient, octets: Int) { clients.sent(client, octets: octets) }

    public mutating func closed(_ client: CompanionClient) { clients.closed(client) }

    /// Closes clients whose set-up data are late.
    public mutating func tick(at now: Monotonic) -> [CompanionServerAction] {
        // Most of the time nobody is waited for.
        guard let next = nextTick, next <= now else { return [] }
        let late = clients.open.filter { client in clients[client]?.deadline.map { $0 <= now } ?? false }
        ownCounters.setupsLate += UInt64(late.count)
        return late.flatMap { close($0) }
    }

    /// Clients are closed and refused while the server is disabled.
    public mutating func setEnabled(_ isEnabled: Bool) -> [CompanionServerAction] { clients.setEnabled(isEnabled) }

    private mutating func close(_ client: CompanionClient) -> [CompanionServerAction] {
        clients.close(client, status: CloseStatus.policyViolation).map { [$0] } ?? []
    }

    // MARK: Timelines

    /// Tells each client what is new for it, if anything is.
    /// - Parameter wallClock: now, by the wall clock that clients follow.
    public mutating func publish(
        _ timelines: PublishedTimelines, wallClock: WallClockTime
    ) -> [CompanionServerAction] {
        guard timelines != published else { return [] }
        published = timelines
        return clients.open.compactMap { tell($0, wallClock: wallClock) }
    }

    private mutating func tell(_ client: CompanionClient, wallClock: WallClockTime) -> CompanionServerAction? {
        guard var following = clients[client]?.following else { return nil }
        let timeline = published.timeline(following.selector, of: following.stem)
        let timestamp = timeline?.timestamp ?? ControlTimestamp(wallClockTime: wallClock, movement: nil)
        // Without a timeline there is no rate that could matter.
        let properties = timeline?.properties ?? TimelineProperties(.mpeg)
        if let sent = following.sent,
            !timestamp.isSignificant(after: sent, on: properties, least: Self.leastCorrection)
        {
            return nil
        }
        following.sent = timestamp
        clients.update(client, to: .following(following))
        return clients.send(timestamp.octets, to: client)
    }

    // MARK: Presentation

    private mutating func take(
        _ timestamps: PresentationTimestamps, of client: CompanionClient, _ following: Following
    ) {
        // While the timeline stands or is not there, what the client said before counts.
        guard let served = published.timeline(following.selector, of: following.stem),
            let timestamp = served.timestamp,
            let timeline = FollowedTimeline(timestamp, of: following.selector, served.properties),
            !timeline.isPaused
        else { return }
        var following = following
        following.delays = PresentationDelays(timestamps, on: timeline, appliedDelay: served.appliedDelay)
        if following.delays == nil { ownCounters.presentationsAbsurd += 1 }
        clients.update(client, to: .following(following))
    }

    /// How much later than without clients a timeline should be presented, so that its clients can present together.
    /// - Returns: within `delayRange`; nil if no client asks for a delay that all others can keep.
    public func commonDelay(of selector: TimelineSelector) -> Nanoseconds? {
        let followers = clients.states.compactMap(\.following).filter { following in
            following.selector == selector && published.timeline(selector, of: following.stem) != nil
        }
        return PresentationDelays.common(followers.compactMap(\.delays), in: delayRange)
    }
}
