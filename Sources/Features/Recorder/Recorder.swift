// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import JSON
import Journal
import Recording
import Shapes
import Statistics
import System
import Time
import Venue

/// The flight recorder (G-56, the moonshot of a black box): events, statistics, small pictures and the packets of the last
/// seconds are in memory always, and are kept on the disk when something goes wrong.
public final class Recorder: Feature {
    public static let summary = """
        the flight recorder, which keeps what led to an incident; the commands `incidents` and `incident-…`, settings \
        `recorder`
        """

    /// What the product provides.
    public struct Sources {
        /// Where incidents are kept; their directory need not exist.
        public var files: any IncidentFiles
        public var rings: RingDirectory
        public var box: String
        /// The events after a sequence, so many at most, and how many before them are not there any more.
        public var events: (_ sequence: UInt64, _ limit: Int) -> (dropped: UInt64, events: [Event])
        /// Has small pictures of the screen delivered, as JPEG files and on a thread of their own, one in a period. The
        /// result ends that; nil if there is no screen yet.
        public var pictures: (_ period: Nanoseconds, _ deliver: @escaping @Sendable ([UInt8]) -> Void) -> (() -> Void)?

        public init(
            files: any IncidentFiles, rings: RingDirectory, box: String,
            events: @escaping (UInt64, Int) -> (dropped: UInt64, events: [Event]),
            pictures: @escaping (Nanoseconds, @escaping @Sendable ([UInt8]) -> Void) -> (() -> Void)?
        ) {
            (self.files, self.rings, self.box, self.events) = (files, rings, box, events)
            self.pictures = pictures
        }
    }

    public static var commands: [Handler<Recorder>] {
        [
            Handler(ListIncidents.self), Handler(RecordIncident.self), Handler(ReadIncident.self),
            Handler(RemoveIncident.self),
        ]
    }
    public static var events: [EventDescription] { [EventDescription(IncidentRecorded.self)] }
    public static var sections: [SectionDescription] { [SectionDescription(RecorderSettings.self)] }

    private let context: FeatureContext
    private let log: Log
    private let sources: Sources
    private let flows: FlowRecordings
    private var settings: RecorderSettings
    /// nil before the start, and if there is no thread to be had.
    private var work: IncidentWork?
    private var own: BoxRings?
    /// The pictures that are asked for, and how that ends; nil if none are.
    private var pictures: (seconds: Int, end: () -> Void)?
    private var causes = IncidentCauses()
    private var counters = RecorderCounters()
    private var lastEvent: UInt64 = 0
    /// Room for a sample of the statistics.
    private var sample: [UInt8] = []
    /// The regions in which something plays, and so can stall. What is only tuned waits for its first picture.
    private var playing: Set<String> = []
    /// Problems that were told; each once.
    private var told: Set<String> = []

    /// Events that are looked at in one turn of the control loop.
    private static let mostEvents = 256

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        log = context.journal.log(for: "recorder")
        sources = context.provided(Sources.self)
        flows = context.provided(FlowRecordings.self)
        settings = context.settings.running[RecorderSettings.self]
        flows.options = settings.options
        context.settings.follow(RecorderSettings.self) { [weak self] in self?.follow($0) }
    }

    public func start() {
        context.statistics.attach(
            StatisticGroup("recorder", RecorderCounters.statistics) { [weak self] in self?.counted })
        do throws(SystemCallError) {
            work = try IncidentWork(sources.files, loop: context.loop)
        } catch {
            tell("incidents are not kept", "\(error)")
        }
        log(.debug, "recorder", ["rings": sources.rings.path, "isOn": settings.isOn])
        makeRings()
        context.provided(EventSignal.self).subscribe { [weak self] in self?.takeEvents() }
        takeLeft()
    }

    public func tick(at now: Monotonic) {
        flows.expire(at: now)
        if let problem = flows.problem { tell("a channel is not recorded", problem) }
        followPictures()
        guard settings.isOn else { return }
        takeEvents()
        if let own {
            sample.removeAll(keepingCapacity: true)
            sample += "{\"time\":\"\(SystemClock.wall())\",\"groups\":".utf8
            context.statistics.sample(to: &sample)
            sample.append(UInt8(ascii: "}"))
            own.add(sample: sample, at: now)
        }
        for due in causes.takeDue(at: now, budget: settings.limits.octets) { freeze(due.kind, due.cause) { _ in } }
    }

    public func stop() {
        work?.stop()
        pictures?.end()
        // Who stops leaves nothing that the next one would take for an accident.
        sources.rings.remove()
    }

    // MARK: Causes

    /// The output failed; the stage says why.
    public func outputLost(_ why: String) { happened(.output, why) }

    private func happened(_ kind: Incident.Kind, _ cause: String) {
        if settings.isOn { causes.happened(kind, cause, at: SystemClock.monotonic()) }
    }

    private func takeEvents() {
        while true {
            let events = sources.events(lastEvent, Self.mostEvents).events
            guard let last = events.last else { return }
            lastEvent = last.sequence
            for event in events {
                if settings.isOn { own?.add(event: event.json, at: event.time) }
                look(at: event)
            }
        }
    }

    private func look(at event: Event) {
        let region = event.payload["region"]?.string ?? "main"
        switch (event.family, event.name) {
        case (.service, "state") where event.payload["state"]?.string == "down":
            let reasons = event.payload["reasonNames"]?.array?.compactMap(\.string) ?? []
            happened(.service, "service down: " + reasons.joined(separator: ", "))
        case (.video, "channelState"):
            let state = event.payload["channelState"]?.string.flatMap(PlayerState.init)
            if [.play, .rewind, .live].contains(state) { playing.insert(region) } else { playing.remove(region) }
        case (.video, "bufferingActive") where playing.contains(region):
            happened(.stall, "nothing to play in region \(region)")
        default: break
        }
    }

    // MARK: Incidents

    /// Keeps what is recorded now.
    func freeze(
        _ kind: Incident.Kind, _ cause: String, _ done: @escaping (Result<Incident, Status>) -> Void
    ) {
        guard let work else { return done(.failure(.failure(.failed, "the recorder has no thread"))) }
        let id = newID(kind)
        let (head, shown) = (head(id, kind, cause), context.settings.shown.octets())
        let (rings, own, limits) = (flows.flows, own, settings.limits)
        let isTaken = work.run { (shelf: IncidentShelf) throws(SystemCallError) in
            var plan = BundlePlan(head: head, settings: shown)
            plan.journal = own?.events.image()
            plan.samples = own?.statistics.image()
            plan.pictures = own?.pictures.image()
            plan.flows = rings.map { .init(description: $0.description, packets: $0.ring.image()) }
            return try Self.keep(plan, id, on: shelf, limits)
        } then: { [weak self] result in
            done(self?.kept(id, kind, cause, result) ?? .failure(.failure(.failed, "the service stops")))
        }
        if !isTaken { done(.failure(.failure(.busy, "the disk is slow: too many incidents wait for it"))) }
    }

    private static func keep(
        _ plan: BundlePlan, _ id: String, on shelf: IncidentShelf, _ limits: IncidentShelf.Limits
    ) throws(SystemCallError) -> Int {
        guard let octets = plan.octets(atMost: min(limits.octets, Bundle.mostOctets)) else {
            throw SystemCallError("compress \(id)", .noMemory)
        }
        try shelf.keep(id, octets, limits)
        return octets.count
    }

    private func kept(
        _ id: String, _ kind: Incident.Kind, _ cause: String, _ result: Result<Int, SystemCallError>
    ) -> Result<Incident, Status> {
        switch result {
        case .success(let octets):
            counters.incidents += 1
            causes.wrote(octets, at: SystemClock.monotonic())
            told.remove("an incident is not kept")
            log(.notice, "incident recorded", ["id": id, "cause": cause, "octets": octets])
            context.emit(IncidentRecorded(id: id, kind: kind, cause: cause, octets: octets))
            return .success(Incident(id: id, octets: octets))
        case .failure(let error):
            counters.failures += 1
            tell("an incident is not kept", "\(error)")
            return .failure(.failure(.failed, "the incident is not kept: \(error)"))
        }
    }

    /// Makes an incident of what a process has left that did not stop.
    private func takeLeft() {
        guard let work else { return }
        let rings = sources.rings
        work.run { (shelf: IncidentShelf) throws(SystemCallError) -> [[String: RingImage]] in
            let left = rings.takeLeft()
            try shelf.look()
            return left
        } then: { [weak self] result in
            switch result {
            case .success(let left): for images in left { self?.keep(images) }
            case .failure(let error): self?.tell("incidents cannot be read", "\(error)")
            }
        }
    }

    private func keep(_ images: [String: RingImage]) {
        let cause = "the process before this one did not stop"
        let id = newID(.crash)
        let (head, shown, limits) = (head(id, .crash, cause), context.settings.shown.octets(), settings.limits)
        guard settings.isOn else { return }
        work?.run { (shelf: IncidentShelf) throws(SystemCallError) in
            try Self.keep(BundlePlan(head: head, settings: shown, left: images), id, on: shelf, limits)
        } then: { [weak self] result in
            _ = self?.kept(id, .crash, cause, result)
        }
    }

    private func newID(_ kind: Incident.Kind) -> String {
        let nonce: UInt16 = (try? SystemRandom.integer()) ?? 0  // the time tells incidents apart without it
        return Incident.id(kind, at: SystemClock.wall(), nonce: nonce)
    }

    private func head(_ id: String, _ kind: Incident.Kind, _ cause: String) -> [UInt8] {
        let head: JSONValue = [
            "id": .string(id), "kind": .string(kind.rawValue), "cause": .string(cause),
            "time": .string(SystemClock.wall().description), "box": .string(sources.box),
            "version": .string(Build.version), "build": .string(ImageBuild.id),
        ]
        return head.octets()
    }

    // MARK: What is asked

    var incidents: [Incident] { work?.shown.incidents ?? [] }

    /// Reads the file of an incident.
    /// - Parameter reply: called later, or at once if too much waits for the disk.
    public func read(_ id: String, _ reply: @escaping (Result<[UInt8], Status>) -> Void) {
        let isTaken = work?.run { (shelf: IncidentShelf) throws(SystemCallError) in
            try shelf.read(id)
        } then: { result in
            switch result {
            case .success(let octets?): reply(.success(octets))
            case .success(nil): reply(.failure(Self.unknown(id)))
            case .failure(let error): reply(.failure(.failure(.failed, "\(error)")))
            }
        }
        if isTaken != true { reply(.failure(.failure(.busy, "the disk is slow"))) }
    }

    func remove(_ id: String, _ reply: @escaping (Result<Done, Status>) -> Void) {
        let isTaken = work?.run { (shelf: IncidentShelf) throws(SystemCallError) in
            try shelf.remove(id)
        } then: { result in
            switch result {
            case .success(true): reply(.success(Done()))
            case .success(false): reply(.failure(Self.unknown(id)))
            case .failure(let error): reply(.failure(.failure(.failed, "\(error)")))
            }
        }
        if isTaken != true { reply(.failure(.failure(.busy, "the disk is slow"))) }
    }

    private static func unknown(_ id: String) -> Status {
        .failure(.usage, "id: there is no incident \(JSONValue.string(id).text()); see incidents")
    }

    private var counted: RecorderCounters {
        var result = counters
        let own = own?.written ?? (octets: 0, dropped: 0)
        result.octets = Int64(flows.octets + own.octets)
        result.dropped = Int64(flows.droppedRecords + own.dropped)
        result.passedOver = causes.passedOver
        result.diskOctets = Int64(work?.shown.octets ?? 0)
        return result
    }

    // MARK: Settings

    private func follow(_ new: RecorderSettings) {
        let before = settings
        settings = new
        flows.options = new.options
        if new.isOn { makeRings() }
        guard new.limits != before.limits else { return }
        let limits = new.limits
        work?.run { (shelf: IncidentShelf) throws(SystemCallError) in
            try shelf.trim(to: limits)
        } then: { [weak self] result in
            if case .failure(let error) = result { self?.tell("incidents cannot be removed", "\(error)") }
        }
    }

    private func makeRings() {
        guard settings.isOn, own == nil else { return }
        do throws(SystemCallError) {
            own = try BoxRings(in: sources.rings)
        } catch {
            tell("events are not recorded", "\(error)")
        }
    }

    /// Asks for pictures as the settings want them.
    private func followPictures() {
        let seconds = settings.isOn ? settings.pictureS : 0
        guard pictures?.seconds ?? 0 != seconds else { return }
        pictures?.end()
        pictures = nil
        guard seconds > 0, let own else { return }
        let end = sources.pictures(.seconds(Int64(seconds))) {
            own.add(picture: $0, taken: SystemClock.wall(), at: SystemClock.monotonic())
        }
        pictures = end.map { (seconds, $0) }
    }

    /// Logs a problem once, until it has gone.
    private func tell(_ what: String, _ why: String) {
        guard told.insert(what).inserted else { return }
        log(.warning, "not recorded", ["what": what, "why": why])
    }
}
