// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Playback

/// A controller for each region: what one does is none of the other's business.
struct SeveralControllersTests {
    private static let start = Monotonic(nanoseconds: 1_000_000_000)

    private func context(after lastSession: Int) -> PlaybackContext {
        PlaybackContext(now: Self.start, position: nil, lastSession: lastSession) { _ in nil }
    }

    /// PLAY-13: a number is never used again, by whichever controller.
    @Test func numbersAreOfAll() {
        var (left, right) = (PlaybackController(), PlaybackController())
        var last = 0
        var opened: [Int] = []
        for name in ["One", "Two", "Three"] {
            _ = left.handle(.tune(Trace.channel(name)), in: context(after: last))
            last = left.lastSession
            opened.append(last)
            _ = right.handle(.tune(Trace.channel(name)), in: context(after: last))
            last = right.lastSession
            opened.append(last)
        }
        #expect(opened == [1, 2, 3, 4, 5, 6])
        #expect(left.accepts(session: 5) && !left.accepts(session: 6))
        #expect(right.accepts(session: 6) && !right.accepts(session: 5))
    }

    /// What is meant for another controller's session changes nothing.
    @Test func othersReportsAreNotTaken() {
        var (left, right) = (PlaybackController(), PlaybackController())
        _ = left.handle(.tune(Trace.channel("One")), in: context(after: 0))
        _ = right.handle(.tune(Trace.channel("Two")), in: context(after: 1))
        let inputs: [PlaybackController.Input] = [
            .firstPicture(session: 2, epoch: 0), .starved(session: 2), .report(.failed(session: 2, why: "x")),
            .openFailed(session: 2, why: "x"),
        ]
        for input in inputs { #expect(left.handle(input, in: context(after: 2)).isEmpty) }
        #expect(left.isOpen && right.isOpen)
    }

    @Test(arguments: [
        PlaybackReport.ready(session: 7, duration: nil), .positioned(session: 7, epoch: 1, PlaybackPosition()),
        .ended(session: 7), .failed(session: 7, why: ""), .streamUnsupported(session: 7, what: ""),
        .streamsChanged(session: 7, []),
    ])
    func eachReportSaysWhose(report: PlaybackReport) { #expect(report.session == 7) }
}
