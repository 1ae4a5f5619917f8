// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import TestSupport
import Testing
import Time

@testable import Synchronisation

/// The way to the timeline, step by step, and its ends.
@Suite struct CompanionStartTests {
    private static let information = CompanionConnection(service: .information, number: 1)
    private static let timeline = CompanionConnection(service: .timeline, number: 1)

    /// CSS-21, 22: each step waits for the one before.
    @Test func theOrderIsStrict() {
        var script = CompanionScript()
        #expect(script.session.phase == .stopped)
        script.start()
        #expect(script.take().asked == [.connect(Self.information, CompanionScript.ciiURL)])
        script.open(.information)
        #expect(script.take().asked.isEmpty && script.session.phase == .informationAwaited)
        // Not followed yet.
        script.wallClock(true)
        script.receive(.information, CompanionScript.information.firstMessage.octets)
        #expect(script.session.phase == .wallClockAwaited)
        let (asked, events) = script.take()
        #expect(asked == [.follow(CompanionScript.wcURL)])
        #expect(events.first == .televisionFound && events.count == 2)
        script.wallClock(true)
        #expect(script.take().asked == [.connect(Self.timeline, CompanionScript.tsURL)])
        script.open(.timeline)
        let setup = #"{"contentIdStem":"dvb://233a.1004","timelineSelector":"urn:dvb:css:timeline:pts"}"#
        #expect(script.take().asked == [.send(Self.timeline, Array(setup.utf8))])
        #expect(script.session.phase == .timelineAwaited && script.session.timeline == nil)
        script.receive(CompanionScript.timestamp(1_000_000_000, 90_000))
        #expect(script.take().events.map(\.isAvailable) == [true])
        #expect(script.session.phase == .following)
        #expect(script.session.timeline?.position(at: WallClockInstant(nanoseconds: 3_000_000_000)) == 270_000)
        // Nothing has to happen by itself any more.
        #expect(script.session.nextTick == nil)
    }

    /// CSS-24: what CSS-CII would tell may be stated.
    @Test func aTelevisionWithoutInformationIsFollowed() {
        let stated = CompanionSettings.Stated(
            wcURL: CompanionScript.wcURL, tsURL: CompanionScript.tsURL, contentIDStem: ContentIDStem("dvb://1"),
            timeline: TimelineOption(.other("urn:x"), TimelineProperties(unitsPerSecond: 5_000)))
        var script = CompanionScript(CompanionSettings(.stated(stated)))
        script.start()
        #expect(script.take().asked == [.follow(CompanionScript.wcURL)] && script.session.phase == .wallClockAwaited)
        script.wallClock(true)
        script.open(.timeline)
        let setup = Array(#"{"contentIdStem":"dvb://1","timelineSelector":"urn:x"}"#.utf8)
        #expect(
            script.take().asked
                == [.connect(Self.timeline, CompanionScript.tsURL), .send(Self.timeline, setup)])
        script.receive(CompanionScript.timestamp(0, 0))
        #expect(script.session.timeline?.position(at: WallClockInstant(nanoseconds: 2_000_000_000)) == 10_000)
        #expect(script.take().events.map(\.isAvailable) == [false, true])
        script.close(.timeline, .failed)
        #expect(script.take().events == [.timelineUnavailable(.timelineAwaited), .televisionGone])
        // The wall clock is followed on; there is nobody who could name another.
        script.wait(.seconds(2))
        #expect(script.take().asked.map(\.isTimelineConnect) == [true])
    }

    /// CSS-21: starting again, availability again, information again make no second connection.
    @Test func nothingIsDoneTwice() {
        var script = CompanionScript()
        script.follow()
        script.start()
        script.wallClock(true)
        script.open(.timeline)
        script.receive(.information, CompanionScript.information.firstMessage.octets)
        script.receive(CompanionScript.timestamp(1_000_000_000, 990_000))
        script.wait(.seconds(100))
        let (asked, events) = script.take()
        #expect(asked.isEmpty && events.isEmpty)
        #expect(script.session.counters.connections == 2)
    }

    /// CSS-23: without its wall clock a timeline is of no use, and afterwards it is asked for anew.
    @Test func aLostWallClockEndsTheTimeline() {
        var script = CompanionScript()
        script.follow()
        script.wait(.seconds(5))
        script.wallClock(false)
        var (asked, events) = script.take()
        #expect(asked == [.close(Self.timeline, status: 1_000)])
        #expect(events == [.timelineUnavailable(.wallClockAwaited)] && script.session.timeline == nil)
        script.wallClock(false, CompanionScript.otherWCURL)
        script.wallClock(true, CompanionScript.otherWCURL)
        #expect(script.take().asked.isEmpty)
        script.wallClock(true)
        script.open(.timeline)
        script.receive(CompanionScript.timestamp(0, 7))
        (asked, events) = script.take()
        #expect(asked.map(\.isTimelineConnect) == [true, false] && events.map(\.isAvailable) == [true])
    }

    /// CSS-23.
    @Test func anUnavailableTimelineIsTold() {
        var script = CompanionScript()
        script.follow()
        script.receive(CompanionScript.timestamp(5, nil))
        #expect(script.take().events == [.timelineUnavailable(.timelineUnavailable)])
        script.receive(CompanionScript.timestamp(6, nil))
        #expect(script.take().events.isEmpty)
        script.receive(CompanionScript.timestamp(7, 1))
        let (asked, events) = script.take()
        #expect(asked.isEmpty && events.map(\.isAvailable) == [true])
    }

    @Test func serversThatSayNothingAreDropped() {
        var script = CompanionScript()
        script.start()
        script.open(.information)
        _ = script.take()
        script.wait(.milliseconds(4_999))
        #expect(script.take().asked.isEmpty)
        script.wait(.milliseconds(1))
        var (asked, events) = script.take()
        #expect(asked == [.close(Self.information, status: 1_002)] && events == [.serverSilent(.information)])
        script.wait(.seconds(2))
        script.open(.information)
        script.receive(.information, CompanionScript.information.firstMessage.octets)
        script.wallClock(true)
        // Not even opened.
        _ = script.take()
        script.wait(.seconds(5))
        (asked, events) = script.take()
        #expect(asked == [.close(Self.timeline, status: 1_002)] && events == [.serverSilent(.timeline)])
        script.wait(.seconds(2))
        script.open(.timeline)
        _ = script.take()
        // What cannot be read is as good as nothing.
        script.receive(.timeline, text: "{}")
        script.wait(.seconds(5))
        #expect(script.take().events == [.serverSilent(.timeline)])
        #expect(script.session.counters.serversSilent == 3 && script.session.counters.timestampsMalformed == 1)
    }

    @Test(arguments: [403, 404, 503]) func refusalsAreToldAndTriedAgain(status: Int) {
        var script = CompanionScript()
        script.start()
        _ = script.take()
        script.close(.information, .refused(status: status))
        let (asked, events) = script.take()
        #expect(asked.isEmpty && events == [.refused(.information, status: status)])
        script.wait(.seconds(2))
        #expect(script.take().asked.count == 1 && script.session.counters.connectionsRefused == 1)
    }

    @Test(arguments: Effort.seeds(50)) func attemptsBackOff(seed: UInt64) {
        var script = CompanionScript(seed: seed)
        script.start()
        var spans: [Nanoseconds] = []
        for _ in 0..<12 {
            script.close(.information, .failed)
            let from = script.now
            guard let next = script.session.nextTick else { break }
            spans.append(next - from)
            script.wait(next - from)
        }
        #expect(spans.count == 12)
        let most: [Int64] = [2, 4, 8, 16, 30, 30, 30, 30, 30, 30, 30, 30]
        for (span, most) in zip(spans, most) { #expect(span >= .seconds(1) && span <= .seconds(most)) }
        // A connection that proves itself makes the next failure the first one.
        script.open(.information)
        script.receive(.information, CompanionScript.information.firstMessage.octets)
        script.wait(.seconds(10))
        script.close(.information)
        let latest = script.now + .seconds(2)
        #expect(script.session.nextTick.map { $0 <= latest } == true)
    }

    /// Full jitter: boxes that lost the same television do not come back together.
    @Test func boxesComeBackApart() {
        let spans = (1...100 as ClosedRange<UInt64>).map { seed in
            var delay = ReconnectDelay()
            var random = SplitMix64(seed: seed)
            for _ in 0..<6 { _ = delay.next(using: &random) }
            return delay.next(using: &random).seconds
        }
        #expect(Set(spans).count > 20)
    }

    /// CSS-CII alone may be interrupted; the timeline goes on, and nothing is connected anew that need not be.
    @Test func theTimelineOutlivesInformation() {
        var script = CompanionScript()
        script.follow()
        script.wait(.seconds(20))
        script.close(.information)
        #expect(script.take().events.isEmpty && script.session.phase == .following)
        script.wait(.seconds(2))
        script.open(.information)
        script.receive(.information, CompanionScript.information.firstMessage.octets)
        let (asked, events) = script.take()
        #expect(asked.count == 1 && events.isEmpty)
        // A first message with other properties changes what depends on them.
        script.close(.information)
        script.wait(.seconds(4))
        script.open(.information)
        var information = CompanionScript.information
        information.presentationStatus = PresentationStatus(.fault)
        _ = script.take()
        script.receive(.information, information.firstMessage.octets)
        #expect(script.take().events == [.informationChanged(information, [.presentationStatus])])
        #expect(script.session.phase == .following)
    }

    /// With the last connection the television has gone, and all begins anew in its order.
    @Test func aTelevisionThatGoesIsForgotten() {
        var script = CompanionScript()
        script.follow()
        script.close(.information, .closed(status: 1_001))
        script.close(.timeline, .closed(status: 1_001))
        let (asked, events) = script.take()
        #expect(asked == [.stopFollowing])
        #expect(events == [.timelineUnavailable(.informationAwaited), .televisionGone])
        #expect(script.session.information == nil)
        script.wallClock(true)
        script.wait(.seconds(60))
        #expect(script.take().asked.allSatisfy { !$0.isTimelineConnect })
    }

    /// A wall clock that is lost ends the timeline, which may be all that was left of the television: nothing of it is
    /// followed or connected to until it tells again what it presents.
    @Test func aTelevisionMayGoWithItsWallClock() {
        var script = CompanionScript()
        script.follow()
        script.close(.information, .failed)
        script.wallClock(false)
        let (asked, events) = script.take()
        #expect(
            asked == [.close(.init(service: .timeline, number: 1), status: 1_000), .stopFollowing])
        #expect(events == [.timelineUnavailable(.informationAwaited), .televisionGone])
        script.wallClock(true)
        script.wait(.seconds(2))
        script.open(.information)
        #expect(script.take().asked.count == 1)
        script.receive(.information, CompanionScript.information.firstMessage.octets)
        #expect(script.take().asked == [.follow(CompanionScript.wcURL)])
        #expect(script.session.phase == .wallClockAwaited)
    }

    /// A server of CSS-CII that no longer says anything after an interruption takes nothing from the timeline.
    @Test func informationThatIsSilentTakesNothingFromTheTimeline() {
        var script = CompanionScript()
        script.follow()
        script.close(.information, .failed)
        script.wait(.seconds(2))
        script.open(.information)
        script.wait(.seconds(60))
        #expect(script.take().events.allSatisfy { $0 == .serverSilent(.information) })
        #expect(script.session.phase == .following && script.session.counters.serversSilent >= 3)
    }

    @Test func stoppingEndsEverything() {
        var script = CompanionScript()
        script.follow()
        script.stop()
        let (asked, events) = script.take()
        #expect(asked.count == 3 && Set(script.connections.keys) == [])
        #expect(events == [.timelineUnavailable(.stopped), .televisionGone])
        #expect(script.session.nextTick == nil && script.session.phase == .stopped)
        script.start()
        script.wait(.seconds(1))
        #expect(script.take().asked.count == 1)
    }

    /// What is reported of a former connection says nothing of the present one.
    @Test func lateReportsAreIgnored() {
        var script = CompanionScript()
        script.follow()
        script.wallClock(false)
        let before = script.session.counters
        for number in [0, 1, 2, 99] as [UInt64] {
            let stale = CompanionConnection(service: .timeline, number: number)
            #expect(script.session.opened(stale, at: script.now).isEmpty)
            #expect(script.session.received([0x7b, 0x7d], on: stale, at: script.now).isEmpty)
            #expect(script.session.closed(stale, .failed, at: script.now).isEmpty)
        }
        #expect(script.session.counters == before)
    }

    @Test func presentationsAreToldToTheServer() {
        var script = CompanionScript()
        let bound = PresentationTimestamps.Bound(contentTime: 1, wallClockTime: nil)
        let timestamps = PresentationTimestamps(actual: nil, earliest: bound, latest: bound)
        #expect(script.session.presented(timestamps).isEmpty)
        script.follow()
        #expect(script.session.presented(timestamps) == [.send(Self.timeline, timestamps.octets)])
    }
}
