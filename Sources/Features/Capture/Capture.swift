// SPDX-License-Identifier: Apache-2.0
import Capturing
import Commands
import Hosting
import Journal
import NetworkPlan
import PacketCaptures
import Settings
import System
import Time
import Venue

/// The feature that keeps frames of an interface as a file for Wireshark (SVM-25): what the box itself hears and sends, in a
/// ring in memory, for a while. The control loop never waits: a capture has a thread, which opens its socket too.
///
/// A capture has whatever others send in the venue, also secrets that are not encrypted. Only administrators may start, stop
/// and read one, as with the files of incidents; every role may read the status.
public final class Capture: Feature {
    public static let summary = """
        frames of an interface kept as a file for Wireshark: the commands `capture`, `capture-start`, `capture-stop` and \
        `capture-read`
        """

    /// What the product provides.
    public struct Sources: Sendable {
        /// Path of the socket of the helper that opens packet sockets for a service that may not.
        public var helper: String
        /// Whether the helper is asked even if this process could do without; tests do.
        public var asksHelper = false

        public static let usualHelper = "/run/touchline-capture.sock"

        public init(helper: String = Sources.usualHelper) { self.helper = helper }
    }

    public static var commands: [Handler<Capture>] {
        [
            Handler(ShowCapture.self), Handler(StartCapture.self), Handler(StopCapture.self),
            Handler(ReadCapture.self),
        ]
    }

    private let context: FeatureContext
    private let log: Log
    private let waker: Waker
    /// The last capture; nil if there was none since the service started.
    private var run: CaptureRun?
    /// Whether the thread of `run` has been joined.
    private var isOver = true
    /// Waits until the socket is open.
    private var starting: Reply<CaptureStatus>?
    /// Wait until the capture has ended.
    private var stopping: [Reply<CaptureStatus>] = []

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        log = context.journal.log(for: "network")
        let inbox = LateHandler()
        do throws(SystemCallError) {
            waker = try context.loop.makeWaker { inbox.handler() }
        } catch {
            throw .failure(.failed, "\(error)")
        }
        inbox.handler = { [weak self] in self?.look() }
    }

    public func stop() {
        (starting, stopping) = (nil, [])
        if !isOver { run?.end() }
        isOver = true
        context.loop.remove(waker)
    }

    var status: CaptureStatus { CaptureStatus(run, at: SystemClock.monotonic()) }

    func begin(_ command: StartCapture, _ reply: Reply<CaptureStatus>) {
        do throws(Status) {
            guard isOver else {
                let name = run?.plan.request.interface.description ?? ""
                throw .failure(.busy, "\(name) is captured already; expected capture-stop before")
            }
            let filter = CaptureFilter(address: command.address, port: command.port, kind: command.kind)
            if let problem = filter.problem { throw .failure(.usage, problem) }
            let request = CaptureRequest(
                interface: try interface(command.interface), filter: filter, snap: command.snap)
            let sources = context.provided(Sources.self)
            let plan = CaptureRun.Plan(
                request, seconds: command.seconds, capacity: command.megabytes << 20, helper: sources.helper,
                asksHelper: sources.asksHelper)
            do throws(SystemCallError) {
                run = try CaptureRun(plan) { [waker] in waker.wake() }
            } catch {
                throw .failure(.failed, "\(error)")
            }
            isOver = false
            starting = reply
        } catch {
            reply(.failure(error))
        }
    }

    func end(_ reply: Reply<CaptureStatus>) {
        guard !isOver else { return reply(.success(status)) }
        stopping.append(reply)
        run?.stop()
    }

    /// The file of the last capture, with its id.
    public func file() throws(Status) -> (id: String, octets: [UInt8]) {
        guard let run else { throw .failure(.usage, "nothing was captured; expected capture-start before") }
        let shown = run.shown
        switch shown.phase {
        case .opening, .running:
            throw .failure(.busy, "the capture still runs; expected capture-stop before its file is read")
        case .ended(let problem?): throw problem
        case .ended: return (CaptureStatus.id(of: shown), shown.file)
        }
    }

    /// The interface that is meant: the one that is given, that of the settings, or the first that has a carrier.
    private func interface(_ given: String) throws(Status) -> InterfaceName {
        let name: String
        if !given.isEmpty {
            name = given
        } else if let own = context.settings.running.settings.network.interface, !own.isEmpty {
            name = own
        } else {
            let wires = NetworkInterface.all().filter { !$0.isLoopback }
            guard let first = wires.first(where: \.isUp) ?? wires.first else {
                throw .failure(.failed, "the box has no interface but loopback; expected the name of one")
            }
            name = first.name
        }
        guard let interface = InterfaceName(name) else {
            throw .failure(
                .usage,
                "interface is \"\(name)\"; expected the name of an interface (1...15 letters, digits, '.', '_' and '-')"
            )
        }
        return interface
    }

    /// The capture's thread has something to tell.
    private func look() {
        guard let run, !isOver else { return }
        let shown = run.shown
        let name = run.plan.request.interface.description
        switch shown.phase {
        case .opening: break
        case .running:
            guard let reply = starting else { return }
            starting = nil
            log(.notice, "capturing", ["interface": name, "filter": "\(run.plan.request.filter)"])
            reply(.success(status))
        case .ended(let problem):
            run.end()
            isOver = true
            if let problem {
                log(.debug, "not capturing", ["interface": name, "error": problem.errorString])
            } else {
                log(
                    .debug, "captured",
                    ["interface": name, "heard": shown.heard, "kept": shown.kept, "dropped": shown.dropped])
            }
            let result: Result<CaptureStatus, Status> = problem.map { .failure($0) } ?? .success(status)
            starting?(result)
            for reply in stopping { reply(result) }
            (starting, stopping) = (nil, [])
        }
    }
}
