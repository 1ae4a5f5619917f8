// SPDX-License-Identifier: Apache-2.0
import Alerting
import Collecting
import HTTP
import JSON
import Journal
import Provisioning
import Reports
import Statistics
import System
import Time
import Venue
import Web

/// A whole reporter: it gives boxes the orders that they are to have, and keeps what they report, until a signal ends it.
/// - Thread: the loop's only. A commit makes it wait for the disk.
public final class Reporter {
    /// Boxes whose questions wait, and people.
    private static let connectionLimit = 20_100
    /// Thousands of boxes come at once after an outage.
    private static let backlog: CInt = 4_096

    /// Seconds after which a box tries again that the disk has failed, or that no host takes writes.
    private static let disklessWait: Int64 = 20
    private static let hostlessWait: Int64 = 3

    /// A box whose question has not been answered.
    struct Waiting {
        let box: String
        let tag: String?
        let until: Monotonic
    }

    let log = Journal().log(for: "reporter")
    private let loop: EventLoop
    private let api: ReporterAPI
    let store: ReporterStore
    private let kept: ReportStore
    private let configuration: ReporterConfiguration
    var state: DesiredState
    var envelopes: [Int64: String]
    var waiting: [WebClient: Waiting] = [:]
    var server: WebServer?
    /// nil before the start and after the end.
    var desk: ReportDesk?
    /// nil unless there is a region.
    private let upstream: Upstream?
    let enrolling: EnrolmentDesk
    let statistics = StatisticRegistry()
    private let listener: TCPListener
    public var port: UInt16 { listener.port }
    var storeWait: Int64 { configuration.postgres == nil ? Self.disklessWait : Self.hostlessWait }

    /// - Throws: `Status` with an exit code of `config/CONVENTIONS.md`; 78 for a wrong configuration.
    public init(_ configuration: ReporterConfiguration) throws(Status) {
        var retention = Retention()
        retention.raw = .seconds(configuration.rawHours * 3_600)
        retention.minutes = .seconds(configuration.minuteDays * 86_400)
        retention.hours = .seconds(configuration.hourDays * 86_400)
        api = ReporterAPI(
            boxToken: configuration.boxToken, operatorToken: configuration.operatorToken,
            metricsToken: configuration.metricsToken, retention: retention)
        self.configuration = configuration
        do {
            let enrolments: EnrolmentStore
            if let postgres = configuration.postgres {
                (kept, enrolments) = (try .postgres(postgres, retention), try .postgres(postgres))
            } else {
                (kept, enrolments) = (.sqlite(configuration.database, retention), .sqlite(configuration.database))
            }
            upstream = Upstream(configuration, kept, log: log)
            loop = try EventLoop()
            store = try ReporterStore(configuration.database)
            (state, envelopes) = try store.read()
            let known = KnownCallers(isShared: enrolments.isShared)
            // Hosts of a cluster may be away for now; a file may not.
            if !enrolments.isShared { try EnrolmentBook(enrolments, known, log: log).follow() }
            guard let enrolling = EnrolmentDesk(enrolments, known, chance: try SystemRandom.bytes(32), log: log) else {
                throw Status.failure(.failed, "libsodium does not work on this machine")
            }
            self.enrolling = enrolling
            listener = try TCPListener.loopback(port: configuration.port, backlog: Self.backlog)
        } catch let status as Status {
            throw status
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }

    /// - Parameter signals: made before any thread, because threads inherit the signal mask that it sets.
    public func run(until signals: borrowing SignalWatch) throws(Status) {
        do {
            try start()
            defer { stop() }
            _ = try loop.watch(signals.rawValue, for: .readable) { [unowned self] _ in loop.stop() }
            try loop.run()
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }

    private func start() throws(SystemCallError) {
        let inbox = LateHandler()
        let waker = try loop.makeWaker { inbox.handler() }
        inbox.handler = { [weak self] in self?.takeReports() }
        let desk = try ReportDesk(kept, configuration.alerts) { waker.wake() }
        self.desk = desk
        server = try WebServer(
            listener, connectionLimit: Self.connectionLimit, bodyLimit: ReportBatch.mostOctets, wake: { waker.wake() },
            admit: { _, _ in HTTPResponse(404) })
        try enrolling.start()
        statistics.attach(
            StatisticGroup("intake", IntakeCounters.statistics) { [unowned self] in
                desk.intake.boxes = state.boxes.count
                return desk.intake
            })
        statistics.attach(StatisticGroup("store", WriterCounters.statistics) { desk.writer.counters })
        statistics.attach(StatisticGroup("alerts", AlertCounters.statistics) { desk.alerts.counters })
        if let upstream {
            try upstream.begin()
            statistics.attach(StatisticGroup("upstream", UpstreamState.statistics) { upstream.state })
        }
        statistics.attach(
            StatisticGroup("enrolment", EnrolmentCounters.statistics) { [unowned self] in enrolling.known.counters })
        _ = loop.every(.seconds(1)) { [unowned self] in tick() }
        log(
            .notice, "started",
            ["version": Build.version, "port": port, "boxes": state.boxes.count, "rollouts": state.rollouts.count])
    }

    private func stop() {
        upstream?.stop()
        // What waits for the disk is written and answered before the connections close.
        enrolling.stop()
        desk?.stop()
        desk = nil
        server?.stop()
        server = nil
    }

    private func tick() {
        let now = SystemClock.monotonic()
        for (client, waiting) in waiting where now >= waiting.until {
            self.waiting[client] = nil
            server?.respond(to: client, notModified(waiting.tag))
        }
        change(box: nil, envelope: nil) { state in state.tick(at: SystemClock.wall()) }
        tellTrouble()
        desk?.pressure.age()
    }

    private func tellTrouble() {
        guard let changed = desk?.changedTrouble() else { return }
        if let trouble = changed {
            log(.error, "reports are not kept", ["why": trouble.description, "kind": trouble.kind.rawValue])
        } else {
            log(.notice, "reports are kept again")
        }
    }

    private func takeReports() {
        for report in server?.takeReports() ?? [] {
            switch report {
            case .request(let client, let request):
                // What people ask is answered at once, also under load.
                if desk?.isForLater(request) != true { serve(client, request) } else { queue(client, request) }
            case .closed(let client): waiting[client] = nil
            case .opened, .sent, .failed, .received, .applied: break  // nothing is streamed, and nothing set up anew
            }
        }
        if serveQueued() { desk?.wake() }
    }

    func serve(_ client: WebClient, _ request: HTTPRequest) {
        do throws(ReporterRefusal) {
            let caller = try enrolling.caller(of: request, by: api)
            let wish = try api.wish(request, by: caller, at: SystemClock.wall())
            if case .enrolling(let wish) = wish {
                try perform(wish, by: caller, of: client)
            } else {
                try perform(wish, of: client)
            }
        } catch {
            if error.code == 413 { desk?.intake.tooLarge += 1 }
            server?.respond(to: client, Self.refusal(error))
        }
    }

    static func refusal(_ refusal: ReporterRefusal) -> HTTPResponse {
        let code = refusal.code >= 500 ? Status.Code.failed : .usage
        var response = document(refusal.code, Status.failure(code, refusal.why).json)
        if refusal.code == 401 { response.fields.append(("WWW-Authenticate", "Bearer")) }
        if let seconds = refusal.retryAfter { response.fields.append(("Retry-After", "\(seconds)")) }
        return response
    }

    private func perform(_ wish: ReporterAPI.Wish, of client: WebClient) throws(ReporterRefusal) {
        let now = SystemClock.wall()
        var answer: (code: Int, document: JSONValue?) = (200, nil)
        switch wish {
        case .order(let box, let tag, let wait):
            let until = SystemClock.monotonic() + .seconds(Int64(wait))
            return offer(client, Waiting(box: box, tag: tag, until: until), waits: wait > 0)
        case .report(let report):
            try commit(box: report.box) { (state) throws(ReporterRefusal) in
                guard let changed = state.reported(report, at: now) else {
                    throw ReporterRefusal(507, "\(DesiredState.mostBoxes) boxes are kept already")
                }
                return changed
            }
            answer.code = 204
        case .begin(let order, let envelope, let terms):
            try commit(envelope: envelope) { (state) throws(ReporterRefusal) in
                guard !state.boxes(of: order.target).isEmpty || terms.waves.isEmpty else {
                    throw ReporterRefusal(
                        409, "no box of \(order.target) has reported yet; expected one, or no waves")
                }
                let number = (state.rollouts.last?.number ?? 0) + 1
                return state.begin(order, tag: "\(number)-\(order.revision)-\(now.nanoseconds)", terms, at: now)
            }
            answer = (201, state.rollouts.last?.json(isLong: false))
        case .stop:
            try commit { (state) throws(ReporterRefusal) in
                let changed = state.stop("somebody stopped it")
                guard !changed.isEmpty else { throw ReporterRefusal(409, "no roll-out is under way") }
                return changed
            }
            answer.document = state.rollouts.last?.json(isLong: false)
        case .sendReports(let box, let octets, let isCompressed):
            return try keep(octets, isCompressed: isCompressed, of: box, for: client)
        case .boxes(let after, let limit): return try tellBoxes(after: after, limit, to: client)
        case .box(let id): return try tellBox(id, to: client)
        case .reports(let query, let isTable): return try tellReports(query, isTable: isTable, to: client)
        case .gaps(let box): return try tellGaps(of: box, to: client)
        case .air(let query): return try tellAir(query, to: client)
        case .boxSums(let query): return try tellSums(query, to: client)
        case .alerts(let query): return try tellAlerts(query, to: client)
        case .venues(let after, let limit): return try tellVenues(after: after, limit, to: client)
        case .venueBoxes(let venue, let after, let limit):
            return try tellBoxes(of: venue, after: after, limit, to: client)
        case .venueAir(let venue, let query): return try tellAir(of: venue, query, to: client)
        case .metrics:
            server?.respond(to: client, metrics)
            return
        case .health:
            server?.respond(to: client, health)
            return
        case .enrolling: return  // it has been carried out
        case .rollouts: answer.document = ["rollouts": .array(state.rollouts.map { $0.json(isLong: false) })]
        case .rollout(let number):
            guard let rollout = state.rollouts.first(where: { $0.number == number }) else {
                throw ReporterRefusal(404, "there is no roll-out \(number)")
            }
            answer.document = rollout.json(isLong: true)
        }
        server?.respond(to: client, Self.document(answer.code, answer.document))
    }

    static func document(_ code: Int, _ document: JSONValue?) -> HTTPResponse {
        HTTPResponse(
            code, fields: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: .octets(document?.octets() ?? []))
    }
}
