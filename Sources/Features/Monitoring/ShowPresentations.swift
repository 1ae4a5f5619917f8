// SPDX-License-Identifier: Apache-2.0
import Commands
import Presentation
import Shapes
import Time
import Venue

struct ShowPresentations: Command {
    static let most = 512

    var since = 0
    var limit = Self.most

    static let about = About(
        "presentations", "Show which pictures the main region showed, and when",
        help: "The newest \(PresentationLog.capacity) are kept. Ask again from `next` on for what follows.",
        example: "")
    static let shape = Shape<Self>([
        .option("since", \.since, .integer(0...Int.max), "Number of the first one that is wanted; from 0."),
        .option("limit", \.limit, .integer(1...most), "How many at most, the oldest first."),
    ])

    func run(on monitoring: Monitoring) throws(Status) -> PresentationsAnswer {
        let (entries, next) = monitoring.presentations(from: since, atMost: limit)
        return PresentationsAnswer(presentations: entries.map { ShownPicture(entry: $0) }, next: next)
    }
}

struct PresentationsAnswer: Answer {
    let presentations: [ShownPicture]
    let next: Int

    static let shape = Shape<Self>([
        .value("presentations", \.presentations, .list(of: .row), "the pictures, the oldest first"),
        .value("next", \.next, .count, "number of the one that follows them"),
    ])
}

/// A picture that became visible.
struct ShownPicture: Answer {
    let entry: PresentationLog.Entry

    static let shape = Shape<Self>([
        .value("session", \.entry.session, .count, "number of the session that plays it"),
        .value("pts", \.entry.pts, .integer, "its presentation time stamp, 90 kHz"),
        .value("visibleNs", \.entry.visible.nanoseconds, .integer, "when it became visible on the monotonic clock"),
        .value("lateUs", \.late, .integer, "how much later than due, microseconds"),
    ])

    private var late: Int64 { (entry.visible - entry.due).microseconds }
}
