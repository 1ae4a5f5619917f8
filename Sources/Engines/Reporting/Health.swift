// SPDX-License-Identifier: Apache-2.0
import Settings
import Time
import Venue

/// Why the service is down, if it is, and whether the box is in its venue (SVM-89…99): both derived from what is seen,
/// each told when it changes and not before it has lasted as long as settings say.
public struct Health: Sendable {
    /// What the box sees at one moment.
    public struct Observation: Sendable {
        /// At least one of the announcement groups is joined, or none is wanted.
        public var isListening: Bool
        /// Those that the service may use; empty: nobody knows, which is no reason.
        public var uplinks: [Uplink]
        /// Listed channels, of announcements or settings.
        public var channelCount: Int
        /// A licensed channel of the box's own venue is among them.
        public var hearsVenue: Bool
        /// Of the sessions that play live.
        public var sessions: [SessionReception]

        public init(
            isListening: Bool, uplinks: [Uplink], channelCount: Int, hearsVenue: Bool, sessions: [SessionReception]
        ) {
            self.isListening = isListening
            self.uplinks = uplinks
            self.channelCount = channelCount
            self.hearsVenue = hearsVenue
            self.sessions = sessions
        }
    }

    public enum Change: Equatable, Sendable {
        case service(ServiceState)
        case venue(VenueConnection)
    }

    /// Not running until something was observed.
    public private(set) var state = ServiceState(reasons: .notRunning)
    /// When `state` became what it is.
    public private(set) var since: Monotonic
    /// Nil as long as nothing of the venue was heard and the first listening is not over.
    public private(set) var venue: VenueConnection?

    private let settings: Settings.Health
    private let started: Monotonic
    private var notRunning: Hysteresis
    private var wifiDown: Hysteresis
    private var noChannels: Hysteresis
    private var poorQuality: Hysteresis
    private var inVenue: Hysteresis
    private var windows: [Int: LossWindow] = [:]

    public init(_ settings: Settings.Health, started: Monotonic) {
        self.settings = settings
        self.started = started
        since = started
        notRunning = Hysteresis(settings.notRunning)
        wifiDown = Hysteresis(settings.wifiDown)
        noChannels = Hysteresis(settings.noChannels)
        poorQuality = Hysteresis(settings.poorQuality.patience)
        inVenue = Hysteresis(raiseAfter: .zero, clearAfter: settings.leaveVenue)
    }

    /// Once a second, and when something has changed.
    public mutating func observe(_ observation: Observation, at now: Monotonic) -> [Change] {
        let hasLink = observation.uplinks.isEmpty || observation.uplinks.contains(where: \.isUp)
        let hasListened = now - started >= settings.firstListen
        let loss = observeLoss(of: observation.sessions, hasLink: hasLink, at: now)
        let limit = poorQuality.isRaised ? settings.poorQuality.clearPPM + 1 : settings.poorQuality.raisePPM

        var reasons: ServiceState.Reasons = []
        // Without a link nothing can be joined: that is the reason then.
        if notRunning.observe(!observation.isListening && hasLink, at: now) { reasons.insert(.notRunning) }
        if wifiDown.observe(!hasLink, at: now) { reasons.insert(.wifiDown) }
        if noChannels.observe(observation.channelCount == 0 && hasListened, at: now) { reasons.insert(.noChannels) }
        if poorQuality.observe(loss >= limit, at: now) { reasons.insert(.poorQuality) }

        var changes = become(ServiceState(reasons: reasons), at: now)
        let isInVenue = inVenue.observe(observation.hearsVenue, at: now)
        let connection = VenueConnection(isConnectedToVenue: isInVenue)
        if isInVenue || hasListened || venue != nil, connection != venue {
            venue = connection
            changes.append(.venue(connection))
        }
        return changes
    }

    /// The service ends.
    public mutating func stopped(at now: Monotonic) -> [Change] {
        become(ServiceState(reasons: .notRunning), at: now)
    }

    /// In 10^6 packets, after repair; nil: no such session, or nothing can be said of it yet.
    public func lossPPM(of session: Int) -> Int64? { windows[session]?.lossPPM }

    private mutating func become(_ new: ServiceState, at now: Monotonic) -> [Change] {
        guard new != state else { return [] }
        state = new
        since = now
        return [.service(new)]
    }

    /// - Returns: of the worst session.
    private mutating func observeLoss(
        of sessions: [SessionReception], hasLink: Bool, at now: Monotonic
    ) -> Int64 {
        windows = windows.filter { id, _ in sessions.contains { $0.session == id } }
        for session in sessions {
            windows[session.session, default: LossWindow(settings.poorQuality.window)].observe(session, at: now)
            // What an outage took is the link's fault, and over when the link is back.
            if !hasLink { windows[session.session]?.restart() }
        }
        return windows.values.compactMap(\.lossPPM).max() ?? 0
    }
}

extension Hysteresis {
    init(_ patience: Settings.Health.Patience) {
        self.init(raiseAfter: patience.raise, clearAfter: patience.clear)
    }
}
