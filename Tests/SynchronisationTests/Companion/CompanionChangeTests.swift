// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import TestSupport
import Testing
import Time

@testable import Synchronisation

/// What a television changes while it is followed: exactly what depends on it is done again.
@Suite struct CompanionChangeTests {
    private static let first = CompanionConnection(service: .timeline, number: 1)

    private func following(_ settings: CompanionSettings = CompanionScript.described()) -> CompanionScript {
        var script = CompanionScript(settings)
        script.follow()
        script.wait(.seconds(5))
        return script
    }

    /// CSS-25, 27, 33: what nothing depends on is told.
    @Test func otherPropertiesAreTold() {
        var script = following()
        script.change {
            $0.presentationStatus = PresentationStatus(.transitioning, extensions: ["x"])
            $0.mrsURL = "http://mrs.example/"
            $0.privateData = []
        }
        let (asked, events) = script.take()
        #expect(asked.isEmpty)
        guard case .informationChanged(let information, let changes)? = events.first, events.count == 1 else {
            Issue.record("\(events)")
            return
        }
        #expect(changes == [.presentationStatus, .mrsUrl, .privateData])
        #expect(information == script.session.information && information.mrsURL == "http://mrs.example/")
        // Nothing is told of what is said again.
        script.receive(.information, text: #"{"presentationStatus":"transitioning x"}"#)
        #expect(script.take().events.isEmpty && script.session.phase == .following)
    }

    /// CSS-29.
    @Test func anotherTimelineServerIsConnectedTo() {
        var script = following()
        let url = CompanionScript.url("ws://other.example/ts")
        script.change { $0.tsURL = url }
        var (asked, events) = script.take()
        let second = CompanionConnection(service: .timeline, number: 2)
        #expect(asked == [.close(Self.first, status: 1_000), .connect(second, url)])
        #expect(events.last == .timelineUnavailable(.timelineAwaited))
        script.change { $0.tsURL = nil }
        (asked, events) = script.take()
        #expect(asked == [.close(second, status: 1_000)] && script.session.phase == .timelineServerUnknown)
    }

    /// CSS-30: the timeline server is asked again only when the new wall clock is known.
    @Test func anotherWallClockIsFollowed() {
        var script = following()
        script.change { $0.wcURL = CompanionScript.otherWCURL }
        var (asked, events) = script.take()
        #expect(asked == [.follow(CompanionScript.otherWCURL), .close(Self.first, status: 1_000)])
        #expect(events.last == .timelineUnavailable(.wallClockAwaited))
        script.wallClock(true)
        #expect(script.take().asked.isEmpty)
        script.wallClock(true, CompanionScript.otherWCURL)
        #expect(script.take().asked.map(\.isTimelineConnect) == [true])
        script.change { $0.wcURL = nil }
        (asked, events) = script.take()
        #expect(asked.first == .stopFollowing && script.session.phase == .wallClockUnknown)
    }

    /// CSS-31, 32: the same stem matches on; another content of interest has another set-up; other content has none.
    @Test func anotherContentIsSetUpIfItsStemIsAnother() {
        var script = following(CompanionScript.described([.pts], ["dvb://233a.1004", "dvb://1."]))
        script.change { $0.contentID = "dvb://233a.1004.1044;364f" }
        #expect(script.take().asked.isEmpty && script.session.phase == .following)
        script.change { $0.contentID = "dvb://1.2.3" }
        script.open(.timeline)
        let setup = #"{"contentIdStem":"dvb://1.","timelineSelector":"urn:dvb:css:timeline:pts"}"#
        #expect(
            script.take().asked.last == .send(.init(service: .timeline, number: 2), Array(setup.utf8)))
        script.change { $0.contentID = "dvb://2.2.3" }
        #expect(script.take().asked.count == 1 && script.session.phase == .contentUnwanted)
        script.change { $0.contentID = nil }
        #expect(script.session.phase == .contentAwaited)
    }

    /// CSS-31: a partial identifier is waited for while it may become one of interest.
    @Test func partialIdentifiersAreWaitedFor() {
        var script = CompanionScript()
        var information = CompanionScript.information
        (information.contentID, information.contentIDStatus) = ("dvb://233a", .partial)
        script.describe(information)
        script.wallClock(true)
        #expect(script.session.phase == .contentAwaited)
        script.change { $0.contentIDStatus = .final }
        #expect(script.session.phase == .contentUnwanted)
        script.change { ($0.contentID, $0.contentIDStatus) = ("dvb://233a.1004.1044", .partial) }
        #expect(script.take().asked.last?.isTimelineConnect == true)
        script.change { ($0.contentID, $0.contentIDStatus) = (CompanionScript.contentID, .final) }
        #expect(script.take().asked.isEmpty)
    }

    @Test(
        arguments: [
            ("a.b", .final, ["a"], .matched(ContentIDStem("a"))), ("a.b", nil, [], .matched(ContentIDStem(""))),
            ("a.b", .final, ["a", "a.b", ""], .matched(ContentIDStem("a.b"))), (nil, .partial, [], .undecided),
            ("a", .partial, ["a.b"], .undecided), ("a", .final, ["a.b"], .unwanted), ("a", nil, ["a.b"], .unwanted),
            ("b", .partial, ["a.b"], .unwanted), ("A", .partial, ["a"], .unwanted),
        ] as [(String?, CIIMessage.ContentIDStatus?, [String], ContentMatch)])
    func whatContentIsOfInterest(
        contentID: String?, status: CIIMessage.ContentIDStatus?, stems: [String], match: ContentMatch
    ) {
        var information = ContentInformation()
        (information.contentID, information.contentIDStatus) = (contentID, status)
        #expect(ContentMatch(information, stems: stems.map { ContentIDStem($0) }) == match)
    }

    /// CSS-28: another preferred timeline is set up; another rate of the same one is taken over on the connection.
    @Test func otherTimelinesAreChosenAnew() {
        var script = following(CompanionScript.described([CompanionScript.temi, .pts]))
        #expect(script.session.timeline?.selector == CompanionScript.temi)
        #expect(script.session.timeline?.rate.unitsPerSecond == 1_000)
        script.change {
            $0.timelines = [TimelineOption(CompanionScript.temi, TimelineProperties(unitsPerSecond: 2_000))]
        }
        var (asked, events) = script.take()
        #expect(asked.isEmpty && events.map(\.isChanged) == [false, true])
        #expect(script.session.timeline?.rate.unitsPerSecond == 2_000)
        script.change { $0.timelines = [TimelineOption(.pts, TimelineProperties(.mpeg))] }
        script.open(.timeline)
        (asked, events) = script.take()
        #expect(asked.count == 3 && events.last == .timelineUnavailable(.timelineAwaited))
        script.receive(CompanionScript.timestamp(0, 0))
        #expect(script.session.timeline?.rate.unitsPerSecond == 90_000)
        script.change { $0.timelines = [] }
        #expect(script.session.phase == .selectorNotOffered && script.connections[.timeline] == nil)
    }

    /// CSS-28, 35: preference decides, and a rate that the selector tells counts.
    @Test func timelinesAreChosenByPreference() {
        let elapsed = TimelineSelector.elapsedTime(TickRate(5_000))
        let offered = [
            TimelineOption(.compositionTime, TimelineProperties(unitsPerTick: 1_001, unitsPerSecond: 24_000)),
            TimelineOption(elapsed, TimelineProperties(unitsPerSecond: 1_000, accuracy: 0.5)),
        ]
        func choice(_ preferred: [TimelineSelector], _ offered: [TimelineOption]?) -> TimelineOption? {
            TimelineOption.choice(of: preferred, among: offered)
        }
        #expect(choice([.pts, elapsed], offered)?.selector == elapsed)
        #expect(
            choice([elapsed], offered)?.properties == TimelineProperties(unitsPerSecond: 5_000, accuracy: 0.5))
        #expect(choice([.compositionTime, elapsed], offered) == offered[0])
        #expect(choice([], offered) == offered[0])
        #expect(choice([.pts], offered) == nil && choice([], []) == nil && choice([], nil) == nil)
        // Nothing is known of what is offered.
        #expect(choice([.compositionTime, .pts], nil) == TimelineOption(.pts, TimelineProperties(.mpeg)))
    }

    /// A television that changes its mind without end is not connected to more than once a second.
    @Test func changesWithoutEndAreBraked() {
        var script = following()
        for number in 0..<500 {
            script.change { $0.tsURL = CompanionScript.url("ws://tv.example/\(number)") }
            script.wait(.milliseconds(10))
        }
        script.wait(.seconds(1))
        let connects = script.take().asked.filter { $0.isTimelineConnect }
        #expect((4...7).contains(connects.count), "\(connects.count)")
        guard case .connect(_, let url)? = connects.last else { return }
        #expect(url.description == "ws://tv.example/499")
    }

    /// CSS-26.
    @Test(arguments: [#"{"protocolVersion":"1.0"}"#, #"{"protocolVersion":"2.0","timelines":7}"#])
    func otherVersionsAreRefused(text: String) {
        var script = CompanionScript()
        script.start()
        script.open(.information)
        _ = script.take()
        script.receive(.information, text: text)
        let (asked, events) = script.take()
        #expect(asked == [.close(.init(service: .information, number: 1), status: 1_002)])
        guard case .versionRefused? = events.first, events.count == 1 else {
            Issue.record("\(events)")
            return
        }
        // A television may be brought up to date.
        script.wait(.seconds(2))
        script.open(.information)
        script.receive(.information, CompanionScript.information.firstMessage.octets)
        #expect(script.session.phase == .wallClockAwaited && script.session.counters.versionsRefused == 1)
    }

    /// A change that cannot be read is missing from what is known; a new first message has it.
    @Test(arguments: ["{", #"{"tsUrl":7}"#, #"{"presentationStatus":"fine"}"#])
    func informationThatCannotBeReadIsAskedForAnew(text: String) {
        var script = following()
        script.receive(.information, text: text)
        let (asked, events) = script.take()
        #expect(asked == [.close(.init(service: .information, number: 1), status: 1_007)])
        guard case .informationMalformed? = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(script.session.phase == .following)
        script.wait(.seconds(2))
        script.open(.information)
        script.change { _ in }
        script.receive(.information, text: #"{"presentationStatus":"okay"}"#)
        // The first message tells the version.
        #expect(script.session.counters.informationMalformed == 2)
    }
}
