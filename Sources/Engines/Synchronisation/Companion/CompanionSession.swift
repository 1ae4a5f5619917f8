// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Time

/// A companion of a television without its sockets: from CSS-CII to the timeline, in strict order (CSS-21): the television
/// is asked what it presents; its wall clock is followed; once that is available, the timeline server is connected to and
/// told which timeline is wanted; its control timestamps make the timeline available (CSS-22).
///
/// After each event what should be is compared with what is. So a change of `wcUrl`, `tsUrl`, of the content or of the
/// timelines undoes exactly what depends on it, and nothing is ever connected to twice. A wall clock that is lost ends the
/// connection for the timeline: what the television said of it may be out of date when it comes back.
///
/// While only CSS-CII is interrupted the timeline is followed on; it is not connected to anew until CSS-CII is back.
///
/// A pure value. Any events may be given, late ones of former connections included; instants do not decrease, and a
/// decreasing one counts as the last.
public struct CompanionSession: Sendable {
    private struct WallClock {
        let url: WallClockURL
        var isAvailable = false
    }

    private let settings: CompanionSettings
    private var random: any RandomNumberGenerator & Sendable
    private var isRunning = false
    private var latest: Monotonic
    private var informationLink = ServiceLink(.information)
    private var timelineLink = ServiceLink(.timeline)
    private var wallClock: WallClock?
    private var follower: TimelineFollower?
    private var isTelevisionThere = false
    /// What the television presents; nil before its first message and when it has gone.
    public private(set) var information: ContentInformation?
    /// Nil while it is not available.
    public private(set) var timeline: FollowedTimeline?
    public private(set) var counters = CompanionSessionCounters()

    /// - Parameter random: for the back-off; a seeded one makes the session repeatable.
    public init(_ settings: CompanionSettings, random: any RandomNumberGenerator & Sendable, at now: Monotonic) {
        self.settings = settings
        self.random = random
        latest = now
    }

    /// When to call `tick`, if nothing else happens before; nil for never.
    public var nextTick: Monotonic? {
        [informationLink.nextTick, timelineLink.nextTick].compactMap { $0 }.min()
    }

    // MARK: Events

    /// Does nothing if it has been started.
    public mutating func start(at now: Monotonic) -> [CompanionAction] {
        advance(to: now)
        isRunning = true
        return settle()
    }

    /// Ends everything. It may be started again.
    public mutating func stop(at now: Monotonic) -> [CompanionAction] {
        advance(to: now)
        isRunning = false
        return settle()
    }

    public mutating func tick(at now: Monotonic) -> [CompanionAction] {
        advance(to: now)
        var actions: [CompanionAction] = []
        for link in [\CompanionSession.informationLink, \.timelineLink] where self[keyPath: link].isSilent(at: latest) {
            counters.serversSilent += 1
            actions += drop(link, status: 1_002)
            actions.append(.report(.serverSilent(self[keyPath: link].service)))
        }
        return actions + settle()
    }

    public mutating func opened(_ connection: CompanionConnection, at now: Monotonic) -> [CompanionAction] {
        advance(to: now)
        guard let link = link(of: connection) else { return [] }
        return self[keyPath: link].opened(at: latest)
    }

    /// - Parameter text: a text message, whole.
    public mutating func received(
        _ text: [UInt8], on connection: CompanionConnection, at now: Monotonic
    ) -> [CompanionAction] {
        advance(to: now)
        guard link(of: connection) != nil else { return [] }
        switch connection.service {
        case .information: return informationReceived(text) + settle()
        case .timeline:
            timestampReceived(text)
            return settle()
        }
    }

    public mutating func closed(
        _ connection: CompanionConnection, _ end: CompanionConnection.End, at now: Monotonic
    ) -> [CompanionAction] {
        advance(to: now)
        guard let link = link(of: connection) else { return [] }
        var actions: [CompanionAction] = []
        if case .refused(let status) = end {
            counters.connectionsRefused += 1
            actions.append(.report(.refused(connection.service, status: status)))
        } else {
            counters.connectionsLost += 1
        }
        var random = random
        self[keyPath: link].ended(at: latest, using: &random)
        self.random = random
        return actions + settle()
    }

    /// The wall clock of this server is known, and followed.
    public mutating func wallClockAvailable(_ url: WallClockURL, at now: Monotonic) -> [CompanionAction] {
        wallClockChanged(url, isAvailable: true, at: now)
    }

    /// The server of the wall clock is silent, or its name has no address.
    public mutating func wallClockLost(_ url: WallClockURL, at now: Monotonic) -> [CompanionAction] {
        wallClockChanged(url, isAvailable: false, at: now)
    }

    /// When this companion presents the content, and when it could. It is told to the server if there is a connection.
    public func presented(_ timestamps: PresentationTimestamps) -> [CompanionAction] {
        guard timelineLink.isEstablished, let connection = timelineLink.connection else { return [] }
        return [.send(connection, timestamps.octets)]
    }

    private mutating func wallClockChanged(
        _ url: WallClockURL, isAvailable: Bool, at now: Monotonic
    ) -> [CompanionAction] {
        advance(to: now)
        guard wallClock?.url == url, wallClock?.isAvailable != isAvailable else { return [] }
        wallClock?.isAvailable = isAvailable
        return settle()
    }

    private mutating func advance(to now: Monotonic) { latest = max(latest, now) }

    /// Nil for a former connection.
    private func link(of connection: CompanionConnection) -> WritableKeyPath<CompanionSession, ServiceLink>? {
        if informationLink.connection == connection { return \.informationLink }
        return timelineLink.connection == connection ? \.timelineLink : nil
    }

    private mutating func drop(
        _ link: WritableKeyPath<CompanionSession, ServiceLink>, status: UInt16
    ) -> [CompanionAction] {
        // The generator is a part of the session, of which another part is written here.
        var random = random
        defer { self.random = random }
        return self[keyPath: link].drop(status: status, at: latest, using: &random)
    }

    // MARK: Messages

    private mutating func informationReceived(_ text: [UInt8]) -> [CompanionAction] {
        do throws(CompanionMessageError) {
            let message = try CIIMessage(parsing: text)
            let before = information ?? ContentInformation()
            var new = before
            if informationLink.isEstablished {
                new.merge(message)
            } else {
                new = try ContentInformation(first: message)
            }
            informationLink.heard(at: latest)
            counters.informationMessages += 1
            information = new
            let changes = new.changes(since: before)
            return found() + (changes.isEmpty ? [] : [.report(.informationChanged(new, changes))])
        } catch .unsupportedVersion(let version) {
            counters.versionsRefused += 1
            return drop(\.informationLink, status: 1_002) + [.report(.versionRefused(version))]
        } catch {
            // A change that cannot be read is known to be missing: the first message of a new connection has it.
            counters.informationMalformed += 1
            return drop(\.informationLink, status: 1_007) + [.report(.informationMalformed(error))]
        }
    }

    private mutating func timestampReceived(_ text: [UInt8]) {
        let timestamp: ControlTimestamp
        do throws(CompanionMessageError) {
            timestamp = try ControlTimestamp(parsing: text)
        } catch {
            // The next one says all that this one did.
            counters.timestampsMalformed += 1
            return
        }
        guard var follower = follower ?? option.map({ TimelineFollower($0) }) else { return }
        timelineLink.heard(at: latest)
        let backwards = follower.backwards
        switch follower.receive(timestamp) {
        case .taken: counters.timestampsTaken += 1
        case .insignificant: counters.timestampsInsignificant += 1
        }
        counters.timestampsBackwards += follower.backwards - backwards
        self.follower = follower
    }

    // MARK: What should be

    /// Makes what is what should be, and tells what has become of the timeline.
    private mutating func settle() -> [CompanionAction] {
        var actions = found()
        var gone = goneIfLost()
        actions += aimInformation()
        actions += aimWallClock()
        actions += aimTimeline()
        // The timeline's connection may have been the last one.
        gone += goneIfLost()
        actions += aimWallClock()
        for link in [\CompanionSession.informationLink, \.timelineLink] {
            actions += self[keyPath: link].connectIfDue(at: latest)
        }
        counters.connections += UInt64(actions.count { if case .connect = $0 { true } else { false } })
        return actions + tellTimeline() + gone
    }

    private mutating func aimInformation() -> [CompanionAction] {
        guard case .described(let url, _, _) = settings.television, isRunning else {
            return informationLink.aim(at: nil, now: latest)
        }
        return informationLink.aim(at: ServiceEndpoint(url: url, setup: nil), now: latest)
    }

    private mutating func aimWallClock() -> [CompanionAction] {
        let url = isRunning ? wallClockURL : nil
        guard url != wallClock?.url else { return [] }
        wallClock = url.map { WallClock(url: $0) }
        return [url.map { .follow($0) } ?? .stopFollowing]
    }

    private mutating func aimTimeline() -> [CompanionAction] {
        let endpoint = timelineEndpoint
        let actions = timelineLink.aim(at: endpoint, now: latest)
        if !timelineLink.isEstablished { follower = nil }
        if let option { follower?.propertiesChanged(to: option.properties) }
        return actions
    }

    private var wallClockURL: WallClockURL? {
        switch settings.television {
        case .described: information?.wcURL
        case .stated(let stated): stated.wcURL
        }
    }

    private var timelineServerURL: WebSocketURL? {
        switch settings.television {
        case .described: information?.tsURL
        case .stated(let stated): stated.tsURL
        }
    }

    private var content: ContentMatch {
        switch settings.television {
        case .described(_, _, let stems): ContentMatch(information ?? ContentInformation(), stems: stems)
        case .stated(let stated): .matched(stated.contentIDStem)
        }
    }

    /// The timeline to follow; nil if none is offered that will do.
    private var option: TimelineOption? {
        switch settings.television {
        case .described(_, let selectors, _): TimelineOption.choice(of: selectors, among: information?.timelines)
        case .stated(let stated): stated.timeline
        }
    }

    private var mayConnectTimeline: Bool {
        switch settings.television {
        case .described: informationLink.isEstablished || timelineLink.isEstablished
        case .stated: true
        }
    }

    private var timelineEndpoint: ServiceEndpoint? {
        guard isRunning, mayConnectTimeline, wallClock?.isAvailable == true, let url = timelineServerURL,
            case .matched(let stem) = content, let option
        else { return nil }
        return ServiceEndpoint(
            url: url, setup: SetupData(contentIDStem: stem, timelineSelector: option.selector))
    }

    public var phase: CompanionPhase {
        guard isRunning else { return .stopped }
        if case .described = settings.television, information == nil { return .informationAwaited }
        guard let wallClock else { return .wallClockUnknown }
        guard wallClock.isAvailable else { return .wallClockAwaited }
        guard timelineServerURL != nil else { return .timelineServerUnknown }
        switch content {
        case .undecided: return .contentAwaited
        case .unwanted: return .contentUnwanted
        case .matched: break
        }
        guard option != nil else { return .selectorNotOffered }
        guard timelineLink.isEstablished else { return mayConnectTimeline ? .timelineAwaited : .informationAwaited }
        return follower?.timeline == nil ? .timelineUnavailable : .following
    }

    // MARK: What is told

    private mutating func found() -> [CompanionAction] {
        guard !isTelevisionThere, informationLink.isEstablished || timelineLink.isEstablished else { return [] }
        isTelevisionThere = true
        return [.report(.televisionFound)]
    }

    private mutating func goneIfLost() -> [CompanionAction] {
        guard isTelevisionThere, !informationLink.isEstablished, !timelineLink.isEstablished else { return [] }
        isTelevisionThere = false
        information = nil
        return [.report(.televisionGone)]
    }

    private mutating func tellTimeline() -> [CompanionAction] {
        let new = follower?.timeline
        guard new != timeline else { return [] }
        defer { timeline = new }
        guard let new else { return [.report(.timelineUnavailable(phase))] }
        return [.report(timeline == nil ? .timelineAvailable(new) : .timelineChanged(new))]
    }
}
