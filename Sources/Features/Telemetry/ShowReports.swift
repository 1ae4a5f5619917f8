// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes
import Time
import Venue

struct ShowReports: Command {
    static let about = About(
        "reports", "Show how far the box is with its reports, and what its reporter said",
        help: "config/REPORTS.md says what is reported. What is lost was given up before a reporter had it.",
        form: .record, example: "")
    static let shape = Shape<Self>()

    func run(on telemetry: Telemetry) throws(Status) -> ReportsStatus { telemetry.status }
}

struct ReportsStatus: Answer {
    let settings: ReportsSettings
    let counters: TelemetryCounters
    let now: Monotonic

    private var state: UploadState { counters.state }
    private var answeredMs: Int64? { state.answered.map { (now - $0).milliseconds } }

    static let shape = Shape<Self>([
        .unlessNil("url", \.settings.url, .text, "of the reporter; absent: nobody is told"),
        .value("intervalS", \.settings.intervalS, .count, "time from one report of the state to the next"),
        .unlessNil("boot", \.state.boot, .text, "id of this start in the reports"),
        .unlessNil(
            "answeredMs", \.answeredMs, .integer, "how long ago the reporter settled reports; absent: it never did"),
        .unlessNil("problem", \.state.problem, .text, "why reports are not taken; absent: they are"),
        .computed("enrolment", .text, "pending, enrolled or else; absent: the box sends reports.token, or nothing") {
            $0.state.enrolment?.word
        },
        .computed("enrolmentWhy", .text, "what there is to say of that; absent: nothing") { $0.state.enrolment?.why },
        .computed("fingerprint", .text, "of the key by which the reporter knows the box; absent: it has none") {
            $0.state.enrolment?.fingerprint
        },
        .unlessNil("diskProblem", \.state.diskProblem, .text, "why the disk keeps none; absent: it does"),
        .unlessNil("lastRefusal", \.state.lastRefusal, .text, "why the reporter refused a report; absent: it took all"),
        .value("pending", \.state.spool.pending, .integer, "reports that are not acknowledged yet"),
        .computed("oldestPending", .text, "when the oldest of these was made; absent: there is none, or no time") {
            $0.state.oldestPending?.description
        },
        .value("acknowledged", \.state.spool.acknowledged, .integer, "reports that the reporter has, of this start"),
        .value("refused", \.state.spool.refused, .integer, "reports that it will never take"),
        .value("lost", \.state.spool.lost, .integer, "reports that were given up, since the box was made"),
        .value("attempts", \.state.uploads.attempts, .integer, "to send reports"),
        .value("successes", \.state.uploads.successes, .integer, "after which reports were settled"),
        .value("failures", \.state.uploads.failures, .integer, "after which none was"),
        .value("inFlight", \.state.uploads.inFlight, .integer, "1 while an answer is awaited"),
        .value("statesLeftOut", \.counters.statesLeftOut, .integer, "reports that a slow disk prevented"),
        .value("eventsLeftOut", \.counters.eventsLeftOut, .integer, "events that were too many"),
    ])
}
