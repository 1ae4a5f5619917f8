// SPDX-License-Identifier: Apache-2.0
import Hosting
import Shapes
import Time

/// A restart that is to come.
struct RestartSchedule: Equatable {
    let due: Monotonic
    /// The instant by the clock of the day, as it was when the restart was scheduled.
    let time: WallTime
    /// Who scheduled it.
    let author: String

    init(in minutes: Int, by author: String, now: Monotonic, wall: WallTime) {
        let span = Nanoseconds.seconds(Int64(minutes) * 60)
        due = now + span
        time = WallTime(nanoseconds: wall.nanoseconds + span.count)
        self.author = author
    }

    func isDue(at now: Monotonic) -> Bool { now >= due }

    func answer(at now: Monotonic) -> ScheduledRestart {
        // Rounded up, so that a restart that is to come is never 0 s away.
        let rest = max(.zero, due - now) + .milliseconds(999)
        return ScheduledRestart(time: time.description, inS: Int(rest.seconds), author: author)
    }
}

/// What is told of a restart that is to come.
struct ScheduledRestart: Answer {
    let time: String
    let inS: Int
    let author: String

    static let shape = Shape<Self>([
        .value("time", \.time, .text, "when the service restarts, by RFC 3339"),
        .value("inS", \.inS, .count, "seconds until then"),
        .value("author", \.author, .text, "the interface or the person that scheduled it"),
    ])
}

struct RestartScheduled: FeatureEvent {
    let restart: ScheduledRestart

    static let about = EventAbout(
        .service, "restartScheduled",
        "A restart of the service is to come; changes of settings are unconfirmed until then.")
    static let shape = Shape<Self>([
        .value("time", \.restart.time, .text, "when, by RFC 3339"),
        .value("inS", \.restart.inS, .count, "seconds until then"),
        .value("author", \.restart.author, .text, "the interface or the person that scheduled it"),
    ])
}

struct RestartCancelled: FeatureEvent {
    let author: String

    static let about = EventAbout(.service, "restartCancelled", "A restart that was to come was cancelled.")
    static let shape = Shape<Self>([.value("author", \.author, .text, "the interface or the person that did so")])
}

struct ServiceRestarts: FeatureEvent {
    enum Cause: String, Sendable, CaseIterable { case command, schedule, factoryReset }

    let cause: Cause
    let author: String

    static let about = EventAbout(.service, "restarts", "The service ends and is started anew.")
    static let shape = Shape<Self>([
        .value("cause", \.cause, .choice, "command; schedule: by restart-in; factoryReset"),
        .value("author", \.author, .text, "the interface or the person that asked for it"),
    ])
}
