// SPDX-License-Identifier: Apache-2.0
import Buffers
import Display
import Scene
import Testing
import Time

@testable import Presentation

/// Outputs follow each other, and there is one at all times.
@Suite struct RenderThreadTests {
    private static let size = PixelSize(width: 64, height: 36)
    private static let headless = OutputRequest(.headless, size: size)
    private static let null = OutputRequest(.null, size: size)
    private static let first = OutputRequest(.kms(connector: "HDMI-A-1"), size: size)
    private static let second = OutputRequest(.kms(connector: "HDMI-A-2"), size: size)

    /// What was done, in order.
    private final class Log { var lines: [String] = [] }

    /// A loop that ends the thread when nothing is left to do.
    private final class FakeLoop: StageLoop {
        private let name: String
        private let log: Log
        private let stopping: StopFlag

        init(_ name: String, _ log: Log, _ stopping: StopFlag) {
            (self.name, self.log, self.stopping) = (name, log, stopping)
            log.lines.append("open \(name)")
        }

        deinit { log.lines.append("close \(name)") }

        func run(wakeup: Wakeup, until isEnding: () -> Bool) {
            log.lines.append("run \(name)")
            if !isEnding() { stopping.raise() }
        }
    }

    private static func name(_ request: OutputRequest) -> String {
        switch request.kind {
        case .kms(_, let connector, _, _, _): connector ?? "kms"
        default: "\(request.kind)"
        }
    }

    /// Makes changes with tickets from 1, all asked for at once.
    /// - Parameter refuses: an output that cannot be opened as it was asked for.
    private func run(
        from first: OutputRequest, _ changes: OutputRequest..., refusing refuses: OutputRequest? = nil,
        stopping: StopFlag = StopFlag()
    ) -> [String] {
        let log = Log()
        let mailbox = Mailbox<RenderThread.Change>()
        for (index, request) in changes.enumerated() {
            mailbox.post(RenderThread.Change(request: request, ticket: index + 1))
        }
        RenderThread(first) { request, opening throws(DisplayError) -> any StageLoop in
            if request == refuses, opening == .asAsked { throw .missing("it") }
            return FakeLoop(Self.name(request), log, stopping)
        } changed: { shown, ticket, problem in
            log.lines.append("\(ticket): \(Self.name(shown)) \(problem ?? "")")
        }.run(mailbox, wakeup: Wakeup(), until: stopping)
        return log.lines
    }

    @Test func theNewOutputIsOpenedBesideTheOldOne() {
        #expect(
            run(from: Self.headless, Self.null) == [
                "open headless", "run headless", "open null", "close headless", "1: null ", "run null", "close null",
            ])
    }

    /// A card, and a context of OpenGL ES, has one owner.
    @Test func aCardIsClosedBeforeItIsOpenedAgain() {
        #expect(
            run(from: Self.first, Self.second) == [
                "open HDMI-A-1", "run HDMI-A-1", "close HDMI-A-1", "open HDMI-A-2", "1: HDMI-A-2 ", "run HDMI-A-2",
                "close HDMI-A-2",
            ])
    }

    @Test func aFailureBesideTheOldOutputInterruptsNothing() {
        #expect(
            run(from: Self.headless, Self.first, refusing: Self.first) == [
                "open headless", "run headless", "1: headless it is missing", "run headless", "close headless",
            ])
    }

    @Test func afterAFailureTheOldOutputIsOpenedAgain() {
        #expect(
            run(from: Self.first, Self.second, refusing: Self.second) == [
                "open HDMI-A-1", "run HDMI-A-1", "close HDMI-A-1", "open HDMI-A-1", "1: HDMI-A-1 it is missing",
                "run HDMI-A-1", "close HDMI-A-1",
            ])
    }

    /// The old output may not be had as before either: then the stage is shown as at start.
    @Test func theOldOutputIsOpenedSomehow() {
        let lines = run(from: Self.first, Self.second, Self.first, refusing: Self.first)
        #expect(lines.suffix(4) == ["open HDMI-A-2", "2: HDMI-A-2 it is missing", "run HDMI-A-2", "close HDMI-A-2"])
    }

    @Test func changesAreMadeOneAfterTheOther() {
        let lines = run(from: Self.headless, Self.first, Self.null, Self.null, Self.headless)
        #expect(
            lines.filter { !$0.hasPrefix("run") } == [
                "open headless", "open HDMI-A-1", "close headless", "1: HDMI-A-1 ", "open null", "close HDMI-A-1",
                "2: null ", "3: null ", "open headless", "close null", "4: headless ", "close headless",
            ])
    }

    @Test func nothingIsOpenedWhenTheThreadEnds() {
        let stopping = StopFlag()
        stopping.raise()
        #expect(run(from: Self.headless, Self.null, stopping: stopping) == ["open headless", "close headless"])
    }
}
