// SPDX-License-Identifier: Apache-2.0
import Commands
import Enrolling
import Forwarding
import Hosting
import JSON
import Journal
import Playback
import Provisioning
import Reporting
import Settings
import Statistics
import System
import Time
import Venue

/// The feature that tells a reporter how the box fares (SVM-116…118, 129, 131). What it tells is kept on the disk until
/// the reporter has it.
public final class Telemetry: Feature {
    public static let summary = """
        reports of the box for a reporter, kept on the disk until it has them: the command `reports`, settings `reports`
        """

    /// What the product provides.
    public struct Sources {
        /// Directory of the reports that wait. It need not exist.
        public var directory: String
        /// Directory of the key and the credential by which a reporter knows the box. It need not exist.
        public var identity: String
        public var clock: @Sendable () -> Moment
        /// The events after a sequence, so many at most, and how many before them are not there any more.
        public var events: (_ sequence: UInt64, _ limit: Int) -> (dropped: UInt64, events: [Event])

        public init(
            directory: String, identity: String, clock: @escaping @Sendable () -> Moment,
            events: @escaping (UInt64, Int) -> (dropped: UInt64, events: [Event])
        ) {
            (self.directory, self.identity, self.clock, self.events) = (directory, identity, clock, events)
        }
    }

    public static var commands: [Handler<Telemetry>] { [Handler(ShowReports.self)] }
    public static var sections: [SectionDescription] { [SectionDescription(ReportsSettings.self)] }

    /// Events that are looked at in one turn of the control loop.
    private static let mostEvents = 256
    /// Boxes that start together come within this time.
    private static let longestSpread = Nanoseconds.seconds(60)

    private let context: FeatureContext
    private let log: Log
    private let sources: Sources
    private let box: String
    private var settings: ReportsSettings
    /// nil until there is a reporter for the first time.
    private var thread: ReportThread?
    private var isStarted = false
    private var choice = EventChoice()
    private var statesLeftOut: Int64 = 0
    private var lastEvent: UInt64 = 0
    /// When the next report of the state is due.
    private var due = Monotonic(nanoseconds: 0)
    /// When sections were asked last.
    private var asked = Monotonic(nanoseconds: 0)

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        log = context.journal.log(for: "reports")
        sources = context.provided(Sources.self)
        box = context.provided(BoxIdentity.self).id
        settings = context.settings.running[ReportsSettings.self]
        context.settings.follow(ReportsSettings.self) { [weak self] in self?.follow($0) }
    }

    public func start() {
        isStarted = true
        asked = SystemClock.monotonic()
        context.statistics.attach(
            StatisticGroup("reports", TelemetryCounters.statistics) { [weak self] in self?.counters })
        log(.debug, "reports", ["to": settings.url ?? "nobody"])
        follow(settings)
    }

    public func tick(at now: Monotonic) {
        guard let thread, settings.url != nil else {
            // What happened before there was a reporter is not told.
            skipEvents()
            return
        }
        tellEvents(to: thread, at: now)
        guard now >= due else { return }
        due = max(due + settings.interval, now + settings.interval / 2)
        tellState(to: thread, at: now)
    }

    /// Makes the last report of the state while there still are sessions of which it tells (SVM-03). `stop` waits until
    /// it is on the disk.
    public func flush() {
        guard let thread, settings.url != nil else { return }
        let now = SystemClock.monotonic()
        tellEvents(to: thread, at: now)
        tellState(to: thread, at: now)
        log(.debug, "last state told", ["leftOut": statesLeftOut])
    }

    public func stop() {
        if let thread, settings.url != nil { tellEvents(to: thread, at: SystemClock.monotonic()) }
        thread?.stop()
        thread = nil
    }

    private func follow(_ new: ReportsSettings) {
        let before = settings
        settings = new
        guard isStarted, new.url != nil || thread != nil else { return }
        do throws(SystemCallError) {
            let isNew = thread == nil || before.url == nil || before.interval != new.interval
            if thread == nil {
                thread = try ReportThread(
                    box: box, directory: sources.directory, identity: sources.identity,
                    credential: context.provided(BoxCredential.self), log: log, clock: sources.clock)
            }
            thread?.follow(new)
            let now = SystemClock.monotonic()
            if isNew { due = now + UploadSchedule.offset(of: box, within: Self.spread(new.interval)) }
        } catch {
            log(.error, "no reports are made", ["why": error])
        }
    }

    /// Within which time the first report of a box is made.
    static func spread(_ interval: Nanoseconds) -> Nanoseconds { min(interval, longestSpread) }

    // MARK: Reports

    private func tellEvents(to thread: ReportThread, at now: Monotonic) {
        guard thread.hasRoom else { return }
        let (dropped, events) = sources.events(lastEvent, Self.mostEvents)
        lastEvent = events.last?.sequence ?? lastEvent
        let moment = sources.clock()
        for report in choice.reports(of: events, dropped: dropped, at: now) {
            if !thread.post(.events(report, moment)) { choice.leaveOut(report.count) }
        }
    }

    private func tellState(to thread: ReportThread, at now: Monotonic) {
        if !thread.hasRoom || !thread.post(.state(parts(at: now))) { statesLeftOut += 1 }
    }

    private func skipEvents() {
        while let last = sources.events(lastEvent, Self.mostEvents).events.last { lastEvent = last.sequence }
    }

    private func parts(at now: Monotonic) -> StateParts {
        let running = context.settings.running.settings
        var members = context.provided(ReportSections.self).members(covering: now - asked)
        asked = now
        var identity: JSONValue = [
            "name": .string(running.boxName), "version": .string(Build.version), "build": .string(ImageBuild.id),
        ]
        identity["group"] = context.provided(KeyRing.self).recipient.group.map { .string($0) }
        members["identity"] = identity
        members["tags"] = .array(running.boxTags.map { .string($0) })
        members["dimensions"] = .array(settings.trimmedDimensions.map { .string($0) })
        members["service"] = service
        let regions = context.provided(RegionDirectory.self).all
        return StateParts(
            moment: sources.clock(), members: members, snapshot: context.statistics.snapshot(),
            sessions: regions.compactMap { region in
                region.player.current.map { (region.name, $0.source.channel?.name) }
            })
    }

    private var service: JSONValue {
        let health = context.provided(HealthView.self).snapshot
        var service: JSONValue = [
            "state": .string(health.state.name), "reasons": .array(health.state.reasons.names.map { .string($0) }),
        ]
        service["isInVenue"] = health.isInVenue.map { .bool($0) }
        return service
    }

    // MARK: What is shown

    private var counters: TelemetryCounters {
        TelemetryCounters(
            state: thread?.state ?? UploadState(), statesLeftOut: statesLeftOut, eventsLeftOut: choice.leftOut)
    }

    var status: ReportsStatus {
        ReportsStatus(settings: settings, counters: counters, now: SystemClock.monotonic())
    }
}
