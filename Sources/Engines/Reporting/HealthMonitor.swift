// SPDX-License-Identifier: Apache-2.0
import Settings
import Time
import Venue

/// Whether and why the service is down, and whether the box is in its venue (SVM-89…99). Both are derived from
/// observations; a change is reported once it has lasted as long as settings demand.
public struct HealthMonitor: Sendable {
    /// What the box observes at one moment.
    public struct Observation: Sendable {
        /// Whether at least one announcement group is joined, or none is configured.
        public var isListening: Bool
        /// Uplinks that the service may use; empty when they are not known, which is no reason to be down.
        public var uplinks: [Uplink]
        /// Number of listed channels, from announcements and settings.
        public var channelCount: Int
        /// Whether a licensed channel of the box's own venue is listed.
        public var hearsVenue: Bool
        /// Reception of the sessions that play live.
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

    /// Not running until the first observation.
    public private(set) var state = ServiceState(reasons: .notRunning)
    /// When `state` last changed.
    public private(set) var since: Monotonic
    /// nil until a channel of the venue was heard or the first listening period is over.
    public private(set) var venue: VenueConnection?

    private var settings: Settings.Health
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

    /// To be called once a second, and whenever something has changed.
    public mutating func observe(_ observation: Observation, at now: Monotonic) -> [Change] {
        let hasLink = observation.uplinks.isEmpty || observation.uplinks.contains(where: \.isUp)
        let hasListened = now - started >= settings.firstListen
        let loss = observeLoss(of: observation.sessions, hasLink: hasLink, at: now)
        let limit = poorQuality.isRaised ? settings.poorQuality.clearPPM + 1 : settings.poorQuality.raisePPM

        var reasons: ServiceState.Reasons = []
        // Without a link nothing can be joined, so the missing link is the only reason.
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

    /// Judges by other settings from the next observation on. What has been observed so far counts on; only losses are
    /// counted anew if their window has another length.
    public mutating func apply(_ new: Settings.Health) {
        if new.poorQuality.window != settings.poorQuality.window { windows = [:] }
        settings = new
        notRunning.apply(new.notRunning)
        wifiDown.apply(new.wifiDown)
        noChannels.apply(new.noChannels)
        poorQuality.apply(new.poorQuality.patience)
        inVenue.clearAfter = new.leaveVenue
    }

    /// To be called when the service ends.
    public mutating func stopped(at now: Monotonic) -> [Change] {
        become(ServiceState(reasons: .notRunning), at: now)
    }

    /// Packets per million that were lost after repair, by session. A session is absent until its loss is known.
    public var lossPPM: [Int: Int64] { windows.compactMapValues(\.lossPPM) }

    private mutating func become(_ new: ServiceState, at now: Monotonic) -> [Change] {
        guard new != state else { return [] }
        state = new
        since = now
        return [.service(new)]
    }

    /// - Returns: packets per million lost in the worst session.
    private mutating func observeLoss(
        of sessions: [SessionReception], hasLink: Bool, at now: Monotonic
    ) -> Int64 {
        windows = windows.filter { id, _ in sessions.contains { $0.session == id } }
        for session in sessions {
            windows[session.session, default: LossWindow(settings.poorQuality.window)].observe(session, at: now)
            // Loss during an outage of the link is not counted as poor quality: it ends when the link is back.
            if !hasLink { windows[session.session]?.restart() }
        }
        return windows.values.compactMap(\.lossPPM).max() ?? 0
    }
}

extension Hysteresis {
    init(_ patience: Settings.Health.Patience) {
        self.init(raiseAfter: patience.raise, clearAfter: patience.clear)
    }

    mutating func apply(_ patience: Settings.Health.Patience) {
        (raiseAfter, clearAfter) = (patience.raise, patience.clear)
    }
}
