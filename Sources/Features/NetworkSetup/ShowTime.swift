// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import JSON
import Shapes
import System
import Time
import Venue

struct ShowTime: DeferredCommand {
    static let about = About(
        "time", "Show what time the box has, from where, and how wrong it may be",
        help: """
            ntp: a time server keeps the clock, within boundUs. stream: nobody does, and the screen shows the time of the \
            stream that plays. rtc: the machine's own clock said it at the start. saved: the box began at the time at \
            which it was last on.
            """, example: "")
    static let shape = Shape<Self>()

    func run(on setup: NetworkSetup, _ reply: Reply<TimeReport>) {
        guard setup.timekeeping.source == .ntp, setup.client.isThere else {
            return reply(.success(TimeReport(setup.timekeeping, server: nil)))
        }
        setup.client.ask(.status) { [weak setup] result in
            guard let setup else { return }
            // Without the helper's answer all but the server's name is known.
            let server = (try? result.get())?["timeServer"]?.string
            reply(.success(TimeReport(setup.timekeeping, server: server)))
        }
    }
}

struct TimeReport: Answer {
    let time: WallTime
    let source: Timekeeping.Source
    let server: String?
    let state: SystemClock.State?
    let since: WallTime?

    init(_ timekeeping: Timekeeping, server: String?) {
        time = SystemClock.wall()
        source = timekeeping.source
        self.server = server
        state = timekeeping.state
        since = timekeeping.since
    }

    /// What the kernel says of offset and bound means something only while something keeps the clock.
    private var kept: SystemClock.State? { source == .ntp ? state : nil }

    static let shape = Shape<Self>([
        .value("time", \.time.description, .text, "of the box's clock"),
        .value("source", \.source, .choice, "ntp, stream, rtc or saved"),
        .value("server", \.server, .optional(.text), "the time server that is asked; null: not known, or none"),
        .value(
            "offsetUs", \.kept?.offset.microseconds, .optional(.integer), "what the clock is still moved by, or null"),
        .value("boundUs", \.kept?.bound.microseconds, .optional(.integer), "how wrong the clock may be, or null"),
        .value("since", \.since?.description, .optional(.text), "from when on that has been the source, or null"),
    ])
}
