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
        /// Counters of a session; nil if it is not open.
        public var playback: (_ session: Int) -> PlaybackCounters?

        public init(
            isListening: @escaping () -> Bool, reception: @escaping (Int) -> ReceptionCounters?,
            playback: @escaping (Int) -> PlaybackCounters?
        ) {
            self.isListening = isListening
            self.reception = reception
            self.playback = playback
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
    /// Of the sessions that show no picture, by number.
    private var absences: [Int: PictureAbsenceMonitor] = [:]
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
        publish([], view.snapshot)
        context.settings.follow(["health", "license", "network"]) { [weak self] new, _ in self?.apply(new) }
    }

    public func tick(at now: Monotonic) {
        let uplinks = Uplink.current(named: settings.network.interface)
        let venueName = settings.license.venueName
        let observation = HealthMonitor.Observation(
            isListening: sources.isListening(), uplinks: uplinks, channelCount: lineUp.current.channelCount,
            hearsVenue: !venueName.isEmpty && lineUp.current.hasChannel(ofVenue: venueName),
            sessions: regions.all.compactMap { reception(in: $0) })
        log(
            .debug, "observed",
            [
                "channels": observation.channelCount, "hearsVenue": observation.hearsVenue,
                "uplinks": uplinks.map(\.name).joined(separator: ","), "sessions": observation.sessions.count,
                "absences": absences.count,
            ])
        var snapshot = view.snapshot
        snapshot.uplinks = uplinks
        snapshot.absences = observeAbsences()
        publish(monitor.observe(observation, at: now), snapshot)
    }

    /// - Returns: why sessions of channels show no picture, as far as it is known.
    private func observeAbsences() -> [Int: PictureAbsence] {
        var (monitors, found): ([Int: PictureAbsenceMonitor], [Int: PictureAbsence]) = ([:], [:])
        for region in regions.all {
            guard region.player.isVisible, let session = region.player.current, session.lacksPicture,
                let evidence = evidence(of: session)
            else { continue }
            var monitor = absences[session.id] ?? PictureAbsenceMonitor()
            found[session.id] = monitor.observe(evidence)
            monitors[session.id] = monitor
        }
        absences = monitors
        return found
    }

    private func evidence(of session: PlayingSession) -> ChannelEvidence? {
        guard let reception = sources.reception(session.id), let playback = sources.playback(session.id) else {
            return nil
        }
        var evidence = ChannelEvidence()
        evidence.datagrams = reception.datagrams
        evidence.otherPayloadType = reception.wrongPayloadType
        evidence.transportPackets = reception.tsPackets
        evidence.lostPackets = reception.lostPackets
        evidence.scrambledPackets = playback.scrambledPackets
        evidence.videoUnits = playback.videoUnits
        evidence.unitsSkipped = playback.unitsSkipped
        evidence.unitsWithoutParameterSets = playback.unitsWithoutParameterSets
        evidence.picturesDecoded = playback.framesDecoded
        evidence.picturesHeld = playback.picturesHeld
        evidence.isProgramKnown = session.isReady
        if let program = session.choice.program, !session.programs.isEmpty, !program.isListed(in: session.programs) {
            evidence.missingProgram = program.text
            evidence.listedPrograms = session.programs.text
        }
        evidence.unsupported = session.unsupported.sorted()
        return evidence
    }

    /// nil if no channel is received for the region.
    private func reception(in region: RegionPlayer) -> SessionReception? {
        guard let session = region.player.current, let channel = session.source.channel,
            let counters = sources.reception(session.id)
        else { return nil }
        let (received, lost) = counters.balance(in: channel.transport.encapsulation)
        return SessionReception(session: session.id, received: received, lost: lost)
    }

    public func stop() { publish(monitor.stopped(at: SystemClock.monotonic()), view.snapshot) }

    /// The answer to the question whether the service is up, and why not (SVM-90).
    var report: ServiceReport {
        ServiceReport(
            state: monitor.state, since: since, age: SystemClock.monotonic() - monitor.since,
            isConnectedToVenue: monitor.venue?.isConnectedToVenue, uplinks: view.snapshot.uplinks)
    }

    /// - Parameter snapshot: what the monitor does not know.
    private func publish(_ changes: [HealthMonitor.Change], _ snapshot: HealthView.Snapshot) {
        for change in changes { tell(change) }
        var snapshot = snapshot
        snapshot.state = monitor.state
        snapshot.lossPPM = monitor.lossPPM
        snapshot.isInVenue = monitor.venue?.isConnectedToVenue
        let isLocked = settings.health.locksOutside && monitor.venue?.isConnectedToVenue != true
        snapshot.missedVenue = isLocked ? settings.license.venueName : nil
        view.publish(snapshot)
    }

    private func apply(_ new: Settings) {
        settings = new
        monitor.apply(new.health)
        publish([], view.snapshot)
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
