// SPDX-License-Identifier: Apache-2.0
import Time

/// The interval of a repeated announcement as observed, and when it was last heard.
struct AnnouncementRhythm {
    /// The interval that is assumed before any is known: the shortest usual period of SAP (RFC 2974 §3.1).
    static let unknownInterval = Nanoseconds.seconds(300)
    /// Two arrivals closer than this are one announcement that came by two groups or two paths.
    private static let shortestGap = Nanoseconds.seconds(1)
    private static let mostGaps = 8
    /// With fewer gaps than this a longer announced interval prevails: the sender may just have been restarted.
    private static let trustedGaps = 3

    private(set) var lastHeard: Monotonic
    /// Beginning of the current gap.
    private var mark: Monotonic
    /// The latest gaps between announcements, oldest first.
    private var gaps: [Nanoseconds] = []

    init(firstHeard: Monotonic) {
        lastHeard = firstHeard
        mark = firstHeard
    }

    mutating func heard(at now: Monotonic) {
        lastHeard = max(lastHeard, now)
        guard now - mark >= Self.shortestGap else { return }
        if gaps.count == Self.mostGaps { gaps.removeFirst() }
        gaps.append(now - mark)
        mark = now
    }

    /// Whether it was heard only once, less than 5 s ago.
    func isNew(at now: Monotonic) -> Bool { gaps.isEmpty && now - mark < .seconds(5) }

    /// - Parameter announced: the interval that the sender announces; nil when it announces none.
    func interval(announced: Nanoseconds?) -> Nanoseconds {
        guard !gaps.isEmpty else { return announced ?? Self.unknownInterval }
        let median = gaps.sorted()[gaps.count / 2]
        return gaps.count < Self.trustedGaps ? max(median, announced ?? .zero) : median
    }
}
