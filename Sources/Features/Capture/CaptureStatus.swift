// SPDX-License-Identifier: Apache-2.0
import Capturing
import Shapes
import Time

/// How a capture fares, or the last one fared.
struct CaptureStatus: Answer {
    /// nil if nothing was captured since the service started.
    private let plan: CaptureRun.Plan?
    private let shown: CaptureRun.Shown
    private let now: Monotonic

    init(_ run: CaptureRun?, at now: Monotonic) {
        (plan, shown, self.now) = (run?.plan, run?.shown ?? CaptureRun.Shown(), now)
    }

    static func id(of shown: CaptureRun.Shown) -> String { shown.began?.wall.description ?? "" }

    private var isRunning: Bool { plan != nil && shown.phase == .running }

    private var problem: String? {
        if case .ended(let problem?) = shown.phase { return problem.errorString }
        return shown.problem
    }

    static let shape = Shape<Self>([
        .value("isRunning", \.isRunning, .boolean, "whether it goes on"),
        .computed("id", .text, "when it began, by RFC 3339; absent: there was none") { status in
            status.shown.began.map { _ in id(of: status.shown) }
        },
        .computed("interface", .text, "where; absent: there was none") { $0.plan?.request.interface.description },
        .computed("filter", .text, "what is kept; absent: there was none") { $0.plan?.request.filter.description },
        .computed("snap", .count, "octets of a frame that are kept at most; absent: there was none") {
            $0.plan?.request.snap
        },
        .value("heard", \.shown.heard, .count, "frames that met the filter"),
        .value("frames", \.shown.kept, .count, "frames that are in the file; older ones gave way"),
        .value(
            "dropped", \.shown.dropped, .count, "frames that the kernel dropped, because the box had too much to do"),
        .value("octets", \.shown.fileOctets, .count, "of the file"),
        .computed("endsInS", .count, "seconds until it ends by itself; absent: it has ended") { $0.endsInS },
        .computed("problem", .text, "what went wrong; absent: nothing") { $0.problem },
    ])

    private var endsInS: Int? {
        guard isRunning, let plan, let began = shown.began else { return nil }
        return max(0, plan.seconds - Int((now - began.instant).seconds))
    }
}
