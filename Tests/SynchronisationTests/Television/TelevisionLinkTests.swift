// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Network
import System
import TestSupport
import Testing
import Time

@testable import Synchronisation

/// A companion and a television over real sockets.
@Suite(.serialized) struct TelevisionLinkTests {
    /// On a thread of its own, as the loop wants it.
    private func withTelevision(_ body: @escaping @Sendable (ServedTelevision) throws -> Void) async throws {
        try await onThread {
            Result {
                let television = try ServedTelevision()
                defer { television.stop() }
                try body(television)
            }
        }.get()
    }

    /// CSS-21, CSS-22: from the URL of CSS-CII to the position of the timeline, and to its loss and return.
    @Test func fromInformationToTheTimeline() async throws {
        try await withTelevision { television in
            let link = try television.follow()
            defer { television.end(link) }
            try television.awaits("the timeline") { link.timeline != nil }
            #expect(link.phase == .following && link.information?.contentID == "dvb://1")
            #expect(television.setups.count == 1 && television.setups[0].contains("urn:dvb:css:timeline:pts"))
            let now = SystemClock.monotonic()
            let (clock, truth) = (try #require(link.wallClock.clock), television.clock.wallClock(at: now))
            #expect((clock.wallClock(at: now) - truth).magnitude <= clock.dispersion(at: now))
            let position = try #require(link.timeline?.position(at: truth))
            #expect((90_000..<90_000 * 21).contains(position))

            television.tell(nil)
            try television.awaits("the loss") { link.timeline == nil }
            #expect(link.phase == .timelineUnavailable)
            television.tell(7, speed: 0)
            try television.awaits("the pause") { link.timeline?.isPaused == true }
            #expect(link.timeline?.position(at: truth) == 7)
            let available = television.events.count { if case .timelineAvailable = $0 { true } else { false } }
            #expect(available == 2 && television.events.contains(.timelineUnavailable(.timelineUnavailable)))
        }
    }

    /// A television that has another server of timelines is followed there.
    @Test func anotherTimelineServer() async throws {
        try await withTelevision { television in
            let link = try television.follow()
            defer { television.end(link) }
            try television.awaits("the timeline") { link.timeline != nil }
            television.present("dvb://2", timelinePath: "/other")
            try television.awaits("another connection") { television.setups.count == 2 && link.timeline != nil }
            #expect(link.information?.contentID == "dvb://2" && link.phase == .following)
        }
    }

    /// The server of the wall clock is taken back and told again at once (`sync.md` F5).
    @Test func theWallClockIsTakenBackAndToldAgain() async throws {
        try await withTelevision { television in
            let link = try television.follow()
            defer { television.end(link) }
            try television.awaits("the timeline") { link.timeline != nil }
            for count in 2...20 {
                television.takeWallClockBack()
                television.present("dvb://1")
                try television.awaits("the timeline again") {
                    television.setups.count == count && link.timeline != nil
                }
                #expect(link.phase == .following)
            }
        }
    }

    /// Another server of the wall clock is silent for long and answers then: the timeline waits for its clock. That of the
    /// server before runs on meanwhile, and the timeline was read by it (`sync.md`).
    @Test func theTimelineWaitsForTheClockOfAnotherServer() async throws {
        try await withTelevision { television in
            let link = try television.follow()
            defer { television.end(link) }
            try television.awaits("the timeline") { link.timeline != nil }
            var silent: StampedSocket? = try StampedSocket(boundTo: DatagramPeer(WallClockScene.loopback, port: 0))
            let place = try #require(silent?.ownPeer)
            television.present("dvb://1", wallClockOf: place)
            try television.awaits("the silence") {
                link.wallClock.server?.port == place.port && link.wallClock.state == .lost
            }
            #expect(link.timeline == nil && link.wallClock.clock != nil)
            silent = nil
            let other = try WallClockServer(at: [place], offset: .seconds(2_000))
            defer { other.stop() }
            try television.awaits("the timeline again") { link.timeline != nil }
            let now = SystemClock.monotonic()
            let (clock, truth) = (try #require(link.wallClock.clock), other.wallClock(at: now))
            #expect((clock.wallClock(at: now) - truth).magnitude <= clock.dispersion(at: now))
        }
    }

    /// Everything ends at once, and what comes in afterwards is told to nobody.
    @Test func stopEndsEverything() async throws {
        try await withTelevision { television in
            let link = try television.follow()
            try television.awaits("the timeline") { link.timeline != nil }
            let begin = SystemClock.monotonic()
            television.end(link)
            #expect(SystemClock.monotonic() - begin < .seconds(5))
            #expect(link.phase == .stopped && link.timeline == nil && television.events.last == .televisionGone)
            let told = television.events.count
            television.tell(1)
            for _ in 0..<20 { try television.loop.turn(atMost: .milliseconds(10)) }
            #expect(television.events.count == told && link.phase == .stopped)
        }
    }

    /// Nobody is there: the link waits, and stops in the middle of its attempts.
    @Test func nobodyAnswers() async throws {
        try await withTelevision { television in
            let link = try television.follow(port: 9)
            for _ in 0..<10 { try television.loop.turn(atMost: .milliseconds(20)) }
            #expect(link.phase == .informationAwaited && link.timeline == nil && link.wallClock.clock == nil)
            television.end(link)
            #expect(television.events.isEmpty)
        }
    }
}
