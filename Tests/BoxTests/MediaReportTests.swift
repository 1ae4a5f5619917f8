// SPDX-License-Identifier: Apache-2.0
import Buffers
import Layouts
import Playback
import Presentation
import TestSupport
import Testing
import Time
import Venue

@testable import Box

/// Reports that come faster than they are taken.
struct MediaReportTests {
    private static let channel = Channel(
        id: .init("One"), name: "One",
        transport: Transport(address: "239.1.1.1", port: 5_000, encapsulation: .rtp(payloadType: 33)))

    /// A session of each of four controllers, told of what concerns its own.
    private struct Regions {
        private var controllers: [PlaybackController] = []
        private static let start = Monotonic(nanoseconds: 1_000_000_000)

        init() {
            for session in 1...4 {
                var controller = PlaybackController()
                _ = controller.handle(
                    .tune(MediaReportTests.channel),
                    in: PlaybackContext(
                        now: Self.start, position: nil, lastSession: session - 1
                    ) { _ in nil })
                controllers.append(controller)
            }
        }

        mutating func take(_ report: MediaReport) {
            let input: PlaybackController.Input? =
                switch report {
                case .playback(let report): .report(report)
                case .stage(.firstPicture(let session, let epoch, _)): .firstPicture(session: session, epoch: epoch)
                case .stage(.starved(let session)): .starved(session: session)
                case .stage(.fed(let session)): .fed(session: session)
                default: nil
                }
            guard let input else { return }
            for index in controllers.indices {
                _ = controllers[index].handle(
                    input, in: PlaybackContext(now: Self.start, position: nil, lastSession: 4) { _ in nil })
            }
        }

        var sessions: [PlayingSession?] { controllers.map(\.current) }
    }

    private static func report(_ number: Int, _ random: inout SplitMix64) -> MediaReport {
        let session = Int.random(in: 1...4, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .playback(.ready(session: session, duration: nil))
        case 1:
            var position = PlaybackPosition()
            position.progress = .milliseconds(Int64(number))
            return .playback(.positioned(session: session, epoch: 0, position))
        case 2:
            let stream = StreamInfo(
                program: UInt16(number % 1_000), pid: 256, codec: "h264", language: nil, isVideo: true, isPlayed: true)
            return .playback(.streamsChanged(session: session, [stream]))
        case 3: return .playback(.streamUnsupported(session: session, what: "stream \(number % 16)"))
        case 4: return .playback(.nowNextChanged(session: session, NowNext()))
        case 5, 6: return .stage(.starved(session: session))
        case 7: return .stage(.fed(session: session))
        case 8: return .stage(.alive)
        default: return .stage(.firstPicture(session: session, epoch: 0, at: Monotonic(nanoseconds: 0)))
        }
    }

    /// 10⁵ reports that nobody takes meanwhile leave every session in the state in which each report in its turn would
    /// have left it.
    @Test(arguments: 1...5 as ClosedRange<UInt64>) func aBurstLosesNoState(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let reports = (0..<100_000).map { Self.report($0, &random) }
        let box = StateMailbox<MediaReport>()
        var (each, merged) = (Regions(), Regions())
        for report in reports {
            each.take(report)
            box.post(report)
        }
        let taken = box.takeAll()
        for report in taken { merged.take(report) }
        #expect(merged.sessions == each.sessions && each.sessions.allSatisfy { $0?.isPlaying != nil })
        #expect(taken.count <= 1_024 && taken.count + box.supersededCount == reports.count)
    }

    /// The answer to each screenshot and the end of each session is its own state.
    @Test func answersAndEndsAreKept() {
        let box = StateMailbox<MediaReport>(limit: 16)
        for _ in 0..<1_000 { box.post(.stage(.alive)) }
        for number in 1...50 {
            box.post(.screenshot(ticket: number, .success(ScreenshotFile(png: "", width: 1, height: 1))))
            box.post(.sessionHangs(number))
            box.post(.sessionEnded(number))
            for _ in 0..<100 { box.post(.playback(.ended(session: number))) }
        }
        var (tickets, ended, played): ([Int], [Int], Set<Int>) = ([], [], [])
        for report in box.takeAll() {
            switch report {
            case .screenshot(let ticket, _): tickets.append(ticket)
            case .sessionEnded(let session): ended.append(session)
            case .playback(.ended(let session)): played.insert(session)
            default: break
            }
        }
        #expect(tickets == Array(1...50) && ended == tickets && played == Set(1...50))
    }
}
