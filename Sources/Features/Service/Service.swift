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
        the service's version, its end, and its restart now or in some minutes: `version`, `shutdown`, `restart`, \
        `restart-in`, `restart-cancel`
        """

    /// How the service ends. The product provides this value.
    public struct Ending {
        /// Ends the service in good order, after the present turn of the loop. What supervises it starts it again.
        public var begin: () -> Void

        public init(begin: @escaping () -> Void) { self.begin = begin }
    }

    public static var commands: [Handler<Service>] {
        [
            Handler(ShowVersion.self), Handler(ShutDown.self), Handler(Restart.self), Handler(RestartLater.self),
            Handler(CancelRestart.self),
        ]
    }
    public static var events: [EventDescription] {
        [
            EventDescription(RestartScheduled.self), EventDescription(RestartCancelled.self),
            EventDescription(ServiceRestarts.self),
        ]
    }

    private let context: FeatureContext
    private let log: Log
    private let ending: Ending
    /// The restart that is to come; nil if there is none. It is kept nowhere, so that any start clears it.
    private var schedule: RestartSchedule? {
        didSet { context.settings.holdsChanges = schedule != nil }
    }

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        log = context.journal.log(for: "service")
        ending = context.provided(Ending.self)
    }

    public func tick(at now: Monotonic) {
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
    private var build: String { Build.id }
}

struct ShutDown: Command {
    static let about = About("shutdown", "End the service in good order", role: .administrator)
    static let shape = Shape<Self>()

    func run(on service: Service) throws(Status) -> Done {
        service.shutDown()
        return Done()
    }
}
