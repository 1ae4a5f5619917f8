// SPDX-License-Identifier: Apache-2.0
import Commands
import Presentation
import Shapes
import Time
import Timelines
import Venue

struct ShowMessage: Command {
    /// What a time of the timeline counts.
    enum Timeline: String, Sendable, CaseIterable { case pts, sync }

    private static let span = Nanoseconds.seconds(10)

    var text = ""
    var isEmergency = false
    var durationMs: Int64?
    var at: Int64?
    var timeline = Timeline.pts

    static let about = About(
        "message", "Show a message on the screen",
        help: """
            In place of the one before. An emergency message stands above everything else until it is taken away; \
            another one goes by itself. With `at` it waits for a picture of `main`: it comes with that one and goes \
            durationMs further on in what is played, on each box to which it is said, wherever each is. Rewound to it, \
            it comes again; a pause holds it. It goes for good when nobody can rewind to it any more, or when \
            the time stamps jump after it was due. There is one such message beside the others; it belongs to its channel.
            """,
        role: .operator)
    static let shape = Shape<Self>([
        .argument("text", \.text, .lines(1...1_000), "What it says; line feeds begin new lines."),
        .option("emergency", \.isEmergency, .boolean, "Above everything, in red."),
        .option(
            "durationMs", \.durationMs, .absentOr(.integer(1_000...86_400_000)),
            "How long one that is no emergency stays; absent: 10000."),
        .option(
            "at", \.at, .absentOr(.integer(0...(1 << 53))),
            "The first picture with it, in ticks of `timeline`; absent: at once."),
        .option(
            "timeline", \.timeline, .choice,
            "pts: time stamps, 90 kHz, as `stats` shows them as presentedPTS; sync: what `sync` shows as position."),
    ])

    func run(on display: OnScreenDisplay) throws(Status) -> Done {
        let span = durationMs.map { Nanoseconds.milliseconds($0) } ?? Self.span
        var message = ScreenMessage(text, isEmergency: isEmergency)
        if let at {
            guard !isEmergency else {
                throw .failure(.failed, "emergency is true; expected no 'at' with it: it is shown at once")
            }
            message.pictures = StampSpan(from: try display.stamp(at: at, of: timeline), for: span)
        }
        try display.write(message, for: span)
        return Done()
    }
}

struct ClearMessages: Command {
    static let about = About("message-clear", "Take every message away", role: .operator, example: "")
    static let shape = Shape<Self>()

    func run(on display: OnScreenDisplay) throws(Status) -> Done {
        try display.write(nil, for: nil)
        return Done()
    }
}
