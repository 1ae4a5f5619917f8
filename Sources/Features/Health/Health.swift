// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import Journal
import LineUp
import Playback
import Reception
import Reporting
import Settings
import Shapes
import System
import Time
import Venue

/// The feature that knows whether the service is up, and whether the box is in its venue (SVM-89…99).
public final class Health: Feature {
    public static let summary = """
        whether the service is up and why not, and whether the box is in its venue; the command `service`
        """

    /// What Health observes of the rest of the box. The product provides this value.
    public struct Sources {
        /// Whether at least one announcement group is joined, or none is configured.
        public var isListening: () -> Bool
        /// Counters of the reception of a session's channel; nil if the session receives none.
        public var reception: (_ session: Int) -> ReceptionCounters?

        public init(isListening: @escaping () -> Bool, reception: @escaping (Int) -> ReceptionCounters?) {
            self.isListening = isListening
            self.reception = reception
        }
    }

    public static var commands: [Handler<Health>] { [Handler(ShowService.self)] }
    public static var events: [EventDescription] {
        [EventDescription(ServiceStateChanged.self), EventDescription(VenueConnectionChanged.self)]
    }

    private let context: FeatureContext
    private var settings: Settings
    private let log: Log
    private let sources: Sources
    private let lineUp: LineUpView
    private let view: HealthView
    private let regions: RegionDirectory
    private var monitor: HealthMonitor
    /// The wall-clock time at which the state last changed.
    private var since = SystemClock.wall()

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        settings = context.provided(Settings.self)
        log = context.journal.log(for: "health")
        sources = context.provided(Sources.self)
        lineUp = context.provided(LineUpView.self)
        view = context.provided(HealthView.self)
        regions = context.provided(RegionDirectory.self)
        monitor = HealthMonitor(settings.health, started: SystemClock.monotonic())
        publish([], view.snapshot.uplinks)
        context.settings.follow(["health", "license", "network"]) { [weak self] new, _ in self?.apply(new) }
    }

    public func tick(at now: Monotonic) {
        let uplinks = Uplink.current(named: settings.network.interface)
        let (channels, venueName) = (lineUp.current.channels, settings.license.venueName)
        let observation = HealthMonitor.Observation(
            isListening: sources.isListening(), uplinks: uplinks, channelCount: channels.count,
            hearsVenue: !venueName.isEmpty && channels.contains { $0.fieldOfUse?.venueName == venueName },
            sessions: regions.all.compactMap { reception(in: $0) })
        publish(monitor.observe(observation, at: now), uplinks)
    }

    /// nil if no channel is received for the region.
    private func reception(in region: RegionPlayer) -> SessionReception? {
        guard let session = region.player.current, let channel = session.source.channel,
            let counters = sources.reception(session.id)
        else { return nil }
        // UDP without RTP has no sequence numbers: loss shows only as discontinuities of the transport stream.
        let lost = channel.transport.encapsulation == .raw ? counters.tsDiscontinuities : counters.lostPackets
        return SessionReception(
            session: session.id,
            received: counters.datagrams - counters.duplicatePackets - counters.repairDatagrams, lost: lost)
    }

    public func stop() { publish(monitor.stopped(at: SystemClock.monotonic()), view.snapshot.uplinks) }

    /// The answer to the question whether the service is up, and why not (SVM-90).
    var report: ServiceReport {
        ServiceReport(
            state: monitor.state, since: since, age: SystemClock.monotonic() - monitor.since,
            isConnectedToVenue: monitor.venue?.isConnectedToVenue, uplinks: view.snapshot.uplinks)
    }

    private func publish(_ changes: [HealthMonitor.Change], _ uplinks: [Uplink]) {
        for change in changes { tell(change) }
        var snapshot = HealthView.Snapshot()
        snapshot.state = monitor.state
        snapshot.uplinks = uplinks
        snapshot.lossPPM = monitor.lossPPM
        let isLocked = settings.health.locksOutside && monitor.venue?.isConnectedToVenue != true
        snapshot.missedVenue = isLocked ? settings.license.venueName : nil
        view.publish(snapshot)
    }

    private func apply(_ new: Settings) {
        settings = new
        monitor.apply(new.health)
        publish([], view.snapshot.uplinks)
    }

    private func tell(_ change: HealthMonitor.Change) {
        switch change {
        case .service(let state):
            since = SystemClock.wall()
            log(
                state.isUp ? .notice : .warning, "service state",
                ["state": state.name, "reasons": state.reasons.names.joined(separator: ",")])
            context.emit(ServiceStateChanged(state: state))
        case .venue(let connection):
            log(.notice, "venue connection", ["isConnectedToVenue": connection.isConnectedToVenue])
            context.emit(VenueConnectionChanged(isConnectedToVenue: connection.isConnectedToVenue))
        }
    }
}
