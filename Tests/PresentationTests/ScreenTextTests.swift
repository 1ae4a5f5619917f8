// SPDX-License-Identifier: Apache-2.0
import Testing
import Time
import Timelines

@testable import Presentation

@Suite struct ScreenTextTests {
    /// 2026-11-21T20:15:30Z.
    static let evening = WallTime(nanoseconds: 1_795_292_130_000_000_000)
    static let label = ScreenText.ChannelLabel(
        number: 7, name: "Hall 7", now: programme("Match", -15, 30), next: programme("News", 30, 45))

    private static func programme(_ title: String, _ from: Int64, _ to: Int64) -> Programme {
        func time(_ minutes: Int64) -> WallTime {
            WallTime(nanoseconds: evening.nanoseconds + (minutes * 60 - 30) * 1_000_000_000)
        }
        return Programme(title: title, start: time(from), stop: time(to))
    }

    /// A screen that is asked at milliseconds from its beginning.
    private struct Bench {
        var screen: ScreenText

        init(_ set: (inout ScreenText.Policy) -> Void = { _ in }) {
            var policy = ScreenText.Policy()
            set(&policy)
            screen = ScreenText(policy)
        }

        static func instant(_ ms: Int64) -> Monotonic { Monotonic(nanoseconds: 1_000_000_000 + ms * 1_000_000) }
        static func wall(_ ms: Int64) -> WallTime {
            WallTime(nanoseconds: ScreenTextTests.evening.nanoseconds + ms * 1_000_000)
        }

        mutating func tell(_ input: ScreenText.Input, at ms: Int64 = 0) { screen.handle(input, now: Self.instant(ms)) }

        func contents(at ms: Int64) -> [OverlayPlane: OverlayContent] {
            screen.contents(now: Self.instant(ms), wall: Self.wall(ms))
        }

        func planes(at ms: Int64) -> Set<OverlayPlane> { Set(contents(at: ms).keys) }

        func nextChange(after ms: Int64) -> Int64? {
            screen.nextChange(after: Self.instant(ms), wall: Self.wall(ms)).map {
                ($0 - Self.instant(0)).milliseconds
            }
        }
    }

    private func live(behind ms: Int64, isPaused: Bool = false) -> ScreenText.Input {
        .transport(.init(isPaused: isPaused, place: .live(behind: .milliseconds(ms), available: .seconds(30))))
    }

    @Test func bannerGoesAfterItsTime() {
        var bench = Bench { $0.bannerSpan = .milliseconds(3_000) }
        #expect(bench.planes(at: 0).isEmpty && bench.nextChange(after: 0) == nil)
        bench.tell(.channelTuned(Self.label), at: 100)
        #expect(bench.planes(at: 3_099) == [.banner])
        #expect(bench.nextChange(after: 100) == 3_100)
        #expect(bench.planes(at: 3_100).isEmpty && bench.nextChange(after: 3_100) == nil)
        bench.tell(.channelTuned(nil), at: 3_200)
        bench.tell(.set(.banner, .on), at: 3_300)
        #expect(bench.planes(at: 3_300).isEmpty)  // nothing is tuned
    }

    @Test func bannerSaysWhatIsOnInLocalTime() throws {
        var bench = Bench { $0.zone = .utc }
        bench.tell(.channelTuned(Self.label))
        guard case .banner(let banner) = bench.contents(at: 0)[.banner] else {
            Issue.record("no banner")
            return
        }
        #expect(banner.number == 7 && banner.name == "Hall 7" && banner.clock == "20:15")
        #expect(banner.now?.title == "Match" && banner.now?.span == "20:00–20:45" && banner.elapsed == 33)
        #expect(banner.next?.title == "News" && banner.next?.span == "20:45–21:00")
    }

    /// The clock moves at the full minute, 30 s from here, and nothing moves before.
    @Test func bannerThatStaysChangesWithTheMinute() {
        var bench = Bench()
        bench.tell(.channelTuned(Self.label))
        bench.tell(.set(.banner, .on))
        #expect(bench.contents(at: 6_000) == bench.contents(at: 29_999))
        #expect(bench.nextChange(after: 6_000).map { (30_000...36_000).contains($0) } == true)
        #expect(bench.contents(at: 30_000) != bench.contents(at: 29_999))
        bench.tell(.programmes(now: nil, next: nil))
        guard case .banner(let banner) = bench.contents(at: 31_000)[.banner] else {
            Issue.record("no banner")
            return
        }
        #expect(banner.now == nil && banner.elapsed == nil && banner.clock == "20:16")
    }

    /// Without a clock of its own the box shows the time that a stream said, and moves with its minutes.
    @Test func bannerGoesByTheTimeOfTheStream() throws {
        var bench = Bench()
        bench.tell(.channelTuned(Self.label))
        bench.tell(.set(.banner, .on))
        let utc = WallTime(nanoseconds: Self.evening.nanoseconds + 3_600_000_000_000 + 10_000_000_000)
        bench.tell(.streamTime(StreamTime(utc: utc, arrival: Bench.instant(2_000))))
        func clock(at ms: Int64) -> String? {
            if case .banner(let banner)? = bench.contents(at: ms)[.banner] { banner.clock } else { nil }
        }
        #expect(clock(at: 2_000) == "21:15" && clock(at: 21_999) == "21:15" && clock(at: 22_000) == "21:16")
        #expect(bench.nextChange(after: 6_000).map { (22_000...28_000).contains($0) } == true)
        bench.tell(.streamTime(nil))
        #expect(clock(at: 22_000) == "20:15")
    }

    /// A stream that stops to send its table leaves what was on for ever.
    @Test func whatIsOverIsNotOn() {
        var bench = Bench()
        bench.tell(.channelTuned(Self.label))
        bench.tell(.set(.banner, .on))
        guard case .banner(let banner) = bench.contents(at: 40 * 60_000)[.banner] else {
            Issue.record("no banner")
            return
        }
        #expect(banner.now == nil && banner.next?.title == "News")
    }

    /// A stream need not say when: the title is told all the same.
    @Test func whatHasNoTimeIsOn() {
        var bench = Bench()
        let start = Self.label.now?.start
        let open = Programme(title: "Open", start: start, stop: nil)
        let endless = Programme(title: "Endless", start: nil, stop: Self.label.next?.stop)
        bench.tell(.channelTuned(.init(number: nil, name: "Hall", now: open, next: endless)))
        guard case .banner(let banner) = bench.contents(at: 0)[.banner] else {
            Issue.record("no banner")
            return
        }
        #expect(banner.now?.title == "Open" && banner.now?.span == "20:00" && banner.elapsed == nil)
        #expect(banner.next?.title == "Endless" && banner.next?.span == "")
    }

    @Test func transportIsThereWhilePausedOrBehind() {
        var bench = Bench()
        bench.tell(live(behind: 200), at: 0)
        #expect(bench.planes(at: 0).isEmpty)
        bench.tell(live(behind: 20_000), at: 1_000)
        #expect(bench.contents(at: 1_000)[.transport] == .transport(bar(behind: 20_000)))
        bench.tell(live(behind: 20_400), at: 2_000)
        #expect(bench.contents(at: 2_000)[.transport] != nil)
        bench.tell(live(behind: 200), at: 3_000)
        #expect(bench.planes(at: 3_000).isEmpty)
        bench.tell(live(behind: 200, isPaused: true), at: 4_000)
        #expect(bench.planes(at: 90_000) == [.transport])
        bench.tell(live(behind: 200), at: 91_000)  // plays again: shown a while
        #expect(bench.planes(at: 95_999) == [.transport])
        #expect(bench.planes(at: 96_000).isEmpty)
        bench.tell(.transportAsked, at: 97_000)
        #expect(bench.planes(at: 97_000) == [.transport])
        bench.tell(.transport(nil), at: 98_000)
        #expect(bench.planes(at: 98_000).isEmpty)
    }

    private func bar(behind ms: Int64) -> TransportBar {
        TransportBar(.init(isPaused: false, place: .live(behind: .milliseconds(ms), available: .seconds(30))))
    }

    @Test func transportSaysWhere() {
        let rewound = bar(behind: 20_900)
        #expect(rewound.sign == .rewound && rewound.place == "−0:20" && rewound.from == "−0:30" && rewound.to == "LIVE")
        #expect(bar(behind: 1_400).place == "LIVE" && bar(behind: 1_400).progress == 200)
        let file = TransportBar(
            .init(isPaused: true, place: .file(position: .seconds(3_723), duration: .seconds(7_446))))
        #expect(file.sign == .paused && file.place == "1:02:03" && file.to == "2:04:06" && file.progress == 100)
        let wild = TransportBar(
            .init(isPaused: false, place: .file(position: Nanoseconds(.min), duration: Nanoseconds(.max))))
        #expect(wild.place == "0:00" && wild.progress == 0)
    }

    @Test func volumeIsShownWhenItChanges() {
        var bench = Bench()
        bench.tell(.volume(VolumeBar(level: 100, isMuted: false)), at: 0)
        #expect(bench.planes(at: 0).isEmpty)  // that of the start
        bench.tell(.volume(VolumeBar(level: 90, isMuted: false)), at: 100)
        bench.tell(.volume(VolumeBar(level: 80, isMuted: false)), at: 1_100)
        #expect(bench.planes(at: 3_099) == [.volume] && bench.nextChange(after: 3_000) == 3_100)
        #expect(bench.planes(at: 3_100).isEmpty)
        bench.tell(.volume(VolumeBar(level: 80, isMuted: false)), at: 4_000)
        #expect(bench.planes(at: 4_000).isEmpty)
    }

    @Test func modesDecide() {
        var bench = Bench()
        bench.tell(.statistics(StatisticsPanel([.init("Picture", [.init(.init("Late", "0"))])])))
        bench.tell(live(behind: 20_000))
        #expect(bench.planes(at: 0) == [.transport])
        bench.tell(.set(.stats, .on))
        bench.tell(.set(.transport, .off))
        #expect(bench.planes(at: 0) == [.statistics])
        bench.tell(.set(.stats, .auto))
        bench.tell(.set(.transport, .auto))
        #expect(bench.planes(at: 0) == [.transport])
    }

    /// PLAY-40.
    @Test func debugShowsTransportAndStatistics() {
        var bench = Bench { $0.isDebug = true }
        bench.tell(live(behind: 0))
        bench.tell(.statistics(StatisticsPanel([.init("Picture", [.init(.init("Late", "0"))])])))
        #expect(bench.planes(at: 60_000) == [.transport, .statistics])
        bench.tell(.set(.stats, .off))
        #expect(bench.planes(at: 60_000) == [.transport])
    }

    /// SVM-78; PLAY-39: messages stand above the controls, that of an emergency above all, and alone.
    @Test func bufferingAndMessages() {
        var bench = Bench()
        bench.tell(.buffering(true))
        bench.tell(.message(ScreenMessage("Bar closes"), span: .seconds(10)))
        bench.tell(.ticker(TickerText("2:1")))
        #expect(bench.planes(at: 9_999) == [.buffering, .advertisement] && bench.screen.ticker != nil)
        bench.tell(.message(ScreenMessage("Leave", isEmergency: true), span: nil))
        #expect(bench.planes(at: 9_999) == [.emergency] && bench.screen.ticker == nil)
        bench.tell(.buffering(false), at: 9_999)
        #expect(bench.planes(at: 10_000) == [.emergency])
        bench.tell(.message(nil, span: nil), at: 11_000)
        #expect(bench.planes(at: 11_000).isEmpty && bench.screen.ticker?.text == "2:1")
        #expect(OverlayPlane.advertisement.rawValue < OverlayPlane.emergency.rawValue)
        #expect(OverlayPlane.allCases.filter { $0.rawValue < OverlayPlane.advertisement.rawValue }.count == 7)
    }

    /// A test card moves once a second, and a forgotten one goes away.
    @Test func testCardGoesAfterItsTime() {
        var bench = Bench { $0.isEnabled = false }
        let card = ScreenTestCard(title: "Bar", lines: ["id"])
        bench.tell(.testCard(card, span: .milliseconds(2_500)), at: 100)
        var left: [Int64: TestCardMotion] = [:]
        for ms in [100, 599, 600, 1_599, 1_600, 2_599] as [Int64] {
            #expect(bench.contents(at: ms)[.testCard] == .testCard(card))
            if case .testCardMotion(let motion) = bench.contents(at: ms)[.testCardMotion] { left[ms] = motion }
        }
        let seconds = left.sorted { $0.key < $1.key }.map(\.value.secondsLeft)
        #expect(seconds == [3, 3, 2, 2, 1, 1])
        #expect(left[100]?.text == "0:03" && left[100]?.place != left[600]?.place)
        #expect(bench.nextChange(after: 100) == 600 && bench.nextChange(after: 1_600) == 2_600)
        #expect(bench.planes(at: 2_600).isEmpty && bench.nextChange(after: 2_600) == nil)
        bench.tell(.message(ScreenMessage("Leave", isEmergency: true), span: nil), at: 3_000)
        bench.tell(.testCard(card, span: .seconds(600)), at: 3_000)
        #expect(bench.planes(at: 3_000) == [.emergency])
        #expect(OverlayPlane.testCard.rawValue < OverlayPlane.testCardMotion.rawValue)
        #expect(OverlayPlane.allCases.last == .emergency && OverlayPlane.testCard.layer < .emergency)
        bench.tell(.testCard(nil, span: .zero), at: 4_000)
        #expect(bench.planes(at: 4_000) == [.emergency])
    }

    /// CSS-05: it is there until it is taken away, for the stage to show it with its pictures; those of another channel
    /// are none of them.
    @Test func messagesForPictures() {
        var bench = Bench()
        let pictures = StampSpan(from: 900_000, for: .seconds(5))
        bench.tell(.channelTuned(Self.label))
        bench.tell(.message(ScreenMessage("Bar closes"), span: .seconds(10)))
        bench.tell(.message(ScreenMessage("Half time", pictures: pictures), span: .seconds(5)))
        #expect(bench.planes(at: 9_999) == [.advertisement, .scheduled])
        #expect(bench.contents(at: 60_000) == [.scheduled: .message(ScreenMessage("Half time", pictures: pictures))])
        #expect(bench.contents(at: 60_000)[.scheduled]?.pictures == pictures)
        bench.tell(.channelTuned(.init(number: 7, name: "Bar 7")), at: 60_000)
        #expect(bench.planes(at: 70_000).isEmpty)
        bench.tell(.channelTuned(.init(number: 8, name: "Hall 7")), at: 70_000)
        #expect(bench.planes(at: 80_000) == [.scheduled])
        bench.tell(.scheduledMessageIsOver, at: 80_000)
        #expect(bench.planes(at: 80_000).isEmpty)
        bench.tell(.message(ScreenMessage("Full time", pictures: pictures), span: .seconds(5)), at: 80_000)
        bench.tell(.message(nil, span: nil), at: 80_000)
        #expect(bench.planes(at: 80_000).isEmpty)
    }

    @Test func switchedOffOnlyWhatIsAskedForIsWritten() {
        var bench = Bench { $0.isEnabled = false }
        bench.tell(.channelTuned(Self.label))
        bench.tell(.set(.banner, .on))
        bench.tell(.buffering(true))
        #expect(bench.planes(at: 0).isEmpty && bench.nextChange(after: 0) == nil)
        bench.tell(.message(ScreenMessage("Leave", isEmergency: true), span: nil))
        #expect(bench.planes(at: 0) == [.emergency])
    }
}
