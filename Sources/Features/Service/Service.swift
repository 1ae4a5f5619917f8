// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import Journal
import Shapes
import System
import Time
import Venue

/// The feature that ends the service or has it start anew, now or later, and tells its version.
public final class Service: Feature {
    public static let summary = """
        the service's version, its end, its restart now or in some minutes, and the box as it was new: `version`, \
        `shutdown`, `restart`, `restart-in`, `restart-cancel`, `factory-reset`
        """

    /// How the service ends. The product provides this value.
    public struct Ending {
        /// Ends the service in good order, after the present turn of the loop. What supervises it starts it again.
        public var begin: () -> Void

        public init(begin: @escaping () -> Void) { self.begin = begin }
    }

    /// What the service is told of suspensions of the machine. The product provides this value.
    public struct Suspension {
        /// How long the machine has been suspended since it booted.
        public var total: () -> Nanoseconds
        /// Called after each suspension, when it has been told: lets everything go on that was interrupted.
        public var ended: () -> Void

        public init(total: @escaping () -> Nanoseconds, ended: @escaping () -> Void) {
            self.total = total
            self.ended = ended
        }
    }

    /// What the box keeps. The product provides this value.
    public struct State {
        /// The state directory.
        public var directory: String
        /// What the start did about a factory reset; nil if none was ordered.
        public var reset: FactoryReset.Outcome?

        public init(directory: String, reset: FactoryReset.Outcome?) {
            self.directory = directory
            self.reset = reset
        }
    }

    public static var commands: [Handler<Service>] {
        [
            Handler(ShowVersion.self), Handler(ShutDown.self), Handler(Restart.self), Handler(RestartLater.self),
            Handler(CancelRestart.self), Handler(ResetToFactory.self),
        ]
    }
    public static var events: [EventDescription] {
        [
            EventDescription(RestartScheduled.self), EventDescription(RestartCancelled.self),
            EventDescription(ServiceRestarts.self), EventDescription(ResetDone.self),
            EventDescription(ServiceResumed.self),
        ]
    }

    private let context: FeatureContext
    private let log: Log
    private let ending: Ending
    private let suspension: Suspension
    private var suspensions: SuspensionWatch
    private let state: State
    private let marker: KeptFile
    /// A factory reset that waits to be confirmed.
    private var offer: ResetOffer?
    /// The restart that is to come; nil if there is none. It is kept nowhere, so that any start clears it.
    private var schedule: RestartSchedule? {
        didSet { context.settings.holdsChanges = schedule != nil }
    }

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        log = context.journal.log(for: "service")
        ending = context.provided(Ending.self)
        suspension = context.provided(Suspension.self)
        suspensions = SuspensionWatch(suspension.total())
        state = context.provided(State.self)
        do {
            marker = try KeptFile(FactoryReset.markerName, in: state.directory, loop: context.loop)
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }

    public func start() {
        guard let reset = state.reset else { return }
        if let problem = reset.problem {
            log(.error, "factory reset is not done", ["error": problem])
        } else {
            log(.notice, "factory reset is done", ["removed": reset.removed.joined(separator: " ")])
        }
        context.emit(ResetDone(outcome: reset))
    }

    public func stop() { marker.stop() }

    public func tick(at now: Monotonic) {
        if let span = suspensions.ended(suspension.total()) {
            let seconds = Int(span.seconds)
            log(.notice, "resumed after a suspension", ["seconds": seconds])
            context.emit(ServiceResumed(seconds: seconds))
            suspension.ended()
        }
        guard let due = schedule, due.isDue(at: now) else { return }
        restart(because: .schedule, by: due.author)
    }

    func shutDown() { ending.begin() }

    func restart(because cause: ServiceRestarts.Cause, by author: String) {
        schedule = nil
        log(.notice, "restarts", ["cause": cause.rawValue, "by": author])
        context.emit(ServiceRestarts(cause: cause, author: author))
        ending.begin()
    }

    // MARK: Schedule

    /// A restart that was scheduled before gives way to this one.
    func scheduleRestart(in minutes: Int, by author: String) -> ScheduledRestart {
        let next = RestartSchedule(in: minutes, by: author, now: SystemClock.monotonic(), wall: SystemClock.wall())
        schedule = next
        let answer = next.answer(at: SystemClock.monotonic())
        log(.notice, "restart scheduled", ["inS": answer.inS, "by": author])
        context.emit(RestartScheduled(restart: answer))
        return answer
    }

    /// - Throws: `.failed` if none is scheduled.
    func scheduledRestart() throws(Status) -> ScheduledRestart {
        guard let schedule else { throw Self.nothingScheduled }
        return schedule.answer(at: SystemClock.monotonic())
    }

    func cancelRestart(by author: String) throws(Status) {
        guard schedule != nil else { throw Self.nothingScheduled }
        schedule = nil
        log(.notice, "restart cancelled", ["by": author])
        context.emit(RestartCancelled(author: author))
    }

    // MARK: Factory reset

    /// A code that was offered before counts no more.
    func offerReset() throws(Status) -> ResetAnswer {
        do throws(SystemCallError) {
            let made = ResetOffer(random: try SystemRandom.integer(), now: SystemClock.monotonic())
            offer = made
            return ResetAnswer(code: made.code)
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }

    /// Has the next start remove what the box keeps, and restarts. A wrong code ends the offer.
    func reset(by author: String, confirmedWith code: String, _ reply: Reply<ResetAnswer>) {
        let offered = offer
        offer = nil
        guard let offered, offered.accepts(code, at: SystemClock.monotonic()), !marker.isBusy else {
            let what = "confirm is not the code of an offer; expected the one that factory-reset shows, within 60 s"
            return reply(.failure(.failure(.failed, what)))
        }
        marker.write(Array("\(author)\n".utf8)) { [weak self, log] problem in
            if let problem {
                log(.error, "factory reset is not ordered", ["error": problem])
                return reply(.failure(.failure(.failed, "the order cannot be kept: \(problem)")))
            }
            reply(.success(ResetAnswer(code: nil)))
            self?.restart(because: .factoryReset, by: author)
        }
    }

    private static let nothingScheduled = Status.failure(
        .failed, "no restart is scheduled; expected one by restart-in MINUTES")
}

struct ShowVersion: Command {
    static let about = About("version", "Show the version of the service", example: "")
    static let shape = Shape<Self>()

    func run(on service: Service) throws(Status) -> Version { Version() }
}

struct Version: Answer {
    static let shape = Shape<Self>([
        .value("version", \.version, .text, "semantic version"), .value("build", \.build, .text, "build id"),
    ])

    private var version: String { Build.version }
    private var build: String { ImageBuild.id }
}

struct ShutDown: Command {
    static let about = About("shutdown", "End the service in good order", role: .administrator)
    static let shape = Shape<Self>()

    func run(on service: Service) throws(Status) -> Done {
        service.shutDown()
        return Done()
    }
}
