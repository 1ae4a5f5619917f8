// SPDX-License-Identifier: Apache-2.0
import Time

/// How often something is announced, as heard, and when last.
struct AnnouncementRhythm {
    /// RFC 2974 §3.1: the shortest usual period of SAP.
    static let unknownInterval = Nanoseconds.seconds(300)
    /// Two arrivals within this are one announcement that came by two groups or two ways.
    private static let shortestGap = Nanoseconds.seconds(1)
    private static let mostGaps = 8
    /// Fewer gaps than this do not overrule a longer announced interval: a sender may have been started again.
    private static let trustedGaps = 3

    private(set) var lastHeard: Monotonic
    /// Where the gap that is open now began.
    private var mark: Monotonic
    /// Oldest first.
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

    /// Announced once, a moment ago.
    func isNew(at now: Monotonic) -> Bool { gaps.isEmpty && now - mark < .seconds(5) }

    /// - Parameter announced: what the sender says; nil when it says nothing.
    func interval(announced: Nanoseconds?) -> Nanoseconds {
        guard !gaps.isEmpty else { return announced ?? Self.unknownInterval }
        let median = gaps.sorted()[gaps.count / 2]
        return gaps.count < Self.trustedGaps ? max(median, announced ?? .zero) : median
    }
}
