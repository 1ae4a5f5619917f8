// SPDX-License-Identifier: Apache-2.0
import Database
import HTTP
import JSON
import Journal
import Provisioning
import System
import Time
import Venue
import Web

/// A whole reporter: it gives boxes the orders that they are to have, and keeps what they report, until a signal ends it.
/// - Thread: the loop's only. A commit makes it wait for the disk.
public final class Reporter {
    /// Boxes whose questions wait, and people.
    private static let connectionLimit = 20_100

    /// A box whose question has not been answered.
    private struct Waiting {
        let box: String
        let tag: String?
        let until: Monotonic
    }

    private let log = Journal().log(for: "reporter")
    private let loop: EventLoop
    private let api: ReporterAPI
    private let store: ReporterStore
    private var state: DesiredState
    private var envelopes: [Int64: String]
    private var waiting: [WebClient: Waiting] = [:]
    private var server: WebServer?
    private let listener: TCPListener
    public var port: UInt16 { listener.port }

    /// - Throws: `Status` with an exit code of `config/CONVENTIONS.md`; 78 for a wrong configuration.
    public init(_ configuration: ReporterConfiguration) throws(Status) {
        api = ReporterAPI(boxToken: configuration.boxToken, operatorToken: configuration.operatorToken)
        do {
            loop = try EventLoop()
            store = try ReporterStore(configuration.database)
            (state, envelopes) = try store.read()
            listener = try TCPListener.loopback(port: configuration.port)
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
        server = try WebServer(
            listener, connectionLimit: Self.connectionLimit, wake: { waker.wake() },
            admit: { _, _ in HTTPResponse(404) })
        _ = loop.every(.seconds(1)) { [unowned self] in tick() }
        log(
            .notice, "started",
            ["version": Build.version, "port": port, "boxes": state.boxes.count, "rollouts": state.rollouts.count])
    }

    private func stop() {
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
    }

    private func takeReports() {
        for report in server?.takeReports() ?? [] {
            switch report {
            case .request(let client, let request): serve(client, request)
            case .closed(let client): waiting[client] = nil
            case .opened, .sent, .failed, .received, .applied: break  // nothing is streamed, and nothing set up anew
            }
        }
    }

    private func serve(_ client: WebClient, _ request: HTTPRequest) {
        do throws(ReporterRefusal) {
            try perform(api.wish(request), of: client)
        } catch {
            let code = error.code >= 500 ? Status.Code.failed : .usage
            var response = Self.document(error.code, Status.failure(code, error.why).json)
            if error.code == 401 { response.fields.append(("WWW-Authenticate", "Bearer")) }
            server?.respond(to: client, response)
        }
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
        case .boxes: answer.document = ["boxes": .array(state.boxes.keys.sorted().compactMap { state.json(of: $0) })]
        case .box(let id):
            guard let box = state.json(of: id) else { throw ReporterRefusal(404, "no box \"\(id)\" has reported") }
            answer.document = box
        case .rollouts: answer.document = ["rollouts": .array(state.rollouts.map { $0.json(isLong: false) })]
        case .rollout(let number):
            guard let rollout = state.rollouts.first(where: { $0.number == number }) else {
                throw ReporterRefusal(404, "there is no roll-out \(number)")
            }
            answer.document = rollout.json(isLong: true)
        }
        server?.respond(to: client, Self.document(answer.code, answer.document))
    }

    // MARK: Changes

    /// Changes the state if the disk has it, and answers whom that concerns.
    private func commit(
        box: String? = nil, envelope: String? = nil,
        _ change: (inout DesiredState) throws(ReporterRefusal) -> [Int64]
    ) throws(ReporterRefusal) {
        var new = state
        let numbers = try change(&new)
        do throws(DatabaseError) {
            try store.write(new, box: box, rollouts: numbers, envelope: envelope)
        } catch {
            log(.error, "nothing is kept", ["why": error])
            throw ReporterRefusal(503, "the database does not take it: \(error)")
        }
        tell(numbers, new)
        state = new
        if let envelope, let number = state.rollouts.last?.number { envelopes[number] = envelope }
        if !numbers.isEmpty { answerWaiting() }
    }

    private func change(box: String?, envelope: String?, _ change: (inout DesiredState) -> [Int64]) {
        var new = state
        guard !change(&new).isEmpty else { return }
        try? commit { (state) throws(ReporterRefusal) in change(&state) }  // it has been logged, and is tried again
    }

    private func tell(_ numbers: [Int64], _ new: DesiredState) {
        for number in numbers {
            guard let rollout = new.rollouts.first(where: { $0.number == number }) else { continue }
            let before = state.rollouts.first { $0.number == number }
            guard before?.state != rollout.state || before?.begun != rollout.begun else { continue }
            var why = ""
            if case .stopped(let reason) = rollout.state { why = reason }
            log(
                why.isEmpty ? .notice : .warning, "roll-out",
                [
                    "rollout": number, "order": rollout.order.revision, "state": rollout.state.word,
                    "wave": rollout.begun, "done": rollout.successes, "failed": rollout.failures, "why": why,
                ])
        }
    }

    // MARK: Orders

    private func answerWaiting() {
        for (client, question) in waiting { offer(client, question, waits: true) }
    }

    /// Answers a box if there is something else for it than it has.
    private func offer(_ client: WebClient, _ question: Waiting, waits: Bool) {
        guard let rollout = state.desired(of: question.box), let envelope = envelopes[rollout.number],
            question.tag != "\"\(rollout.tag)\""
        else {
            if waits {
                waiting[client] = question
            } else {
                server?.respond(to: client, notModified(question.tag))
            }
            return
        }
        waiting[client] = nil
        var response = Self.document(200, nil)
        response.body = .octets(Array(envelope.utf8))
        response.fields.append(("ETag", "\"\(rollout.tag)\""))
        server?.respond(to: client, response)
    }

    private func notModified(_ tag: String?) -> HTTPResponse {
        guard let tag else { return HTTPResponse(204) }
        return HTTPResponse(304, fields: [("ETag", tag)])
    }

    private static func document(_ code: Int, _ document: JSONValue?) -> HTTPResponse {
        HTTPResponse(
            code, fields: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: .octets(document?.octets() ?? []))
    }
}
