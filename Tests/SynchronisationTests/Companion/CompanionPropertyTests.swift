// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import TestSupport
import Testing
import Time

@testable import Synchronisation

/// Our companion and our television through sockets of every kind. What always holds is checked by the simulation after
/// each event: one connection to each service, in order (CSS-21), attempts apart.
@Suite struct CompanionPropertyTests {
    private static let settings = CompanionScript.described([.pts], ["dvb://1.2.3", "dvb://233a"])

    private static func disturbed(seed: UInt64) -> SimulatedTelevision {
        var television = SimulatedTelevision(seed: seed &+ Effort.seed, settings)
        var random = SplitMix64(seed: seed &+ Effort.seed &+ 1_000_000)
        for _ in 0..<300 {
            television.run(until: television.now + .milliseconds(Int64.random(in: 0...1_500, using: &random)))
            television.disturb()
        }
        return television
    }

    /// Once the network is calm, the companion is where the television is.
    @Test(arguments: Effort.seeds(60)) func convergesOnceItIsCalm(seed: UInt64) {
        var television = Self.disturbed(seed: seed)
        let attempts = television.attempts
        television.isCalm = true
        // What was damaged unseen is made good by the next connection.
        television.enable(true)
        television.publish(CompanionScript.information)
        let timestamp = CompanionScript.timestamp(television.wallClock.nanoseconds, 4_711)
        let timelines: [TimelineSelector: PublishedTimelines.Timeline] = [
            .pts: .init(TimelineProperties(.mpeg), timestamp)
        ]
        television.publish(
            PublishedTimelines(contentID: CompanionScript.information.contentID, timelines: timelines))
        television.breakAll()
        television.run(until: television.now + .seconds(40))
        television.tellWallClock(isAvailable: true)
        television.run(until: television.now + .seconds(80))
        #expect(television.session.phase == .following)
        #expect(television.session.information == CompanionScript.information)
        #expect(television.session.timeline?.timestamp == timestamp)
        #expect(
            television.session.timeline?.position(at: WallClockInstant(nanoseconds: television.wallClock.nanoseconds))
                == timestamp.position(at: television.wallClock, on: TimelineProperties(.mpeg)))
        #expect(television.servedClients == 2 && television.cii.clientCount == 1 && television.ts.clientCount == 1)
        // It was no idle run, and its turns are events, not a timer that spins.
        #expect((attempts[.information]?.count ?? 0) > 10)
        #expect(television.turns < 20_000)
    }

    /// The owner is told a story that makes sense: a timeline becomes available, changes, and becomes unavailable, and a
    /// television is found and goes.
    @Test(arguments: Effort.seeds(40)) func eventsAlternate(seed: UInt64) {
        let television = Self.disturbed(seed: seed)
        var (isAvailable, isThere) = (false, false)
        var information = ContentInformation()
        for event in television.events {
            switch event {
            case .timelineAvailable:
                #expect(!isAvailable && isThere)
                isAvailable = true
            case .timelineChanged: #expect(isAvailable)
            case .timelineUnavailable(let phase):
                #expect(isAvailable && phase != .following)
                isAvailable = false
            case .televisionFound:
                #expect(!isThere)
                isThere = true
            case .televisionGone:
                #expect(isThere && !isAvailable)
                (isThere, information) = (false, ContentInformation())
            case .informationChanged(let new, let changes):
                #expect(isThere && changes == new.changes(since: information) && !changes.isEmpty)
                information = new
            case .refused, .versionRefused, .serverSilent, .informationMalformed: break
            }
        }
        #expect(isAvailable == (television.session.timeline != nil))
    }

    /// All of it has been tried by all seeds together.
    @Test(.enabled(if: !Effort.isReduced)) func everyKindOfEventHappens() {
        var kinds: [String: Int] = [:]
        var phases: Set<CompanionPhase> = []
        for seed in 1...20 as ClosedRange<UInt64> {
            for event in Self.disturbed(seed: seed).events {
                kinds[String("\(event)".prefix { $0 != "(" }), default: 0] += 1
                if case .timelineUnavailable(let phase) = event { phases.insert(phase) }
            }
        }
        #expect(kinds.count >= 9, "\(kinds)")
        #expect(phases.count >= 6, "\(phases)")
    }

    /// A client that connects and says anything at all does not harm a server, nor anyone else who is served.
    @Test(arguments: Effort.seeds(50)) func anyClientIsSurvived(seed: UInt64) {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        var mutation = Mutation(seed: seed &+ Effort.seed)
        var server = TSServer(admission: CompanionAdmission(path: "/ts", mostClients: 8), mostPendingOctets: 500)
        let bound = PresentationTimestamps.Bound(contentTime: 90_000, wallClockTime: TSServerTests.now)
        let texts = [
            TSServerTests.setup("dvb://"), TSServerTests.setup("", .other("urn:x")),
            PresentationTimestamps(actual: nil, earliest: bound, latest: bound).octets, [],
        ]
        var now = TSServerTests.start
        for step in 0..<800 as Range<Int64> {
            now += .milliseconds(Int64.random(in: -50...400, using: &random))
            let client = TSServerTests.client(UInt64.random(in: 0..<12, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0...1: if server.admit(path: "/ts") == nil { _ = server.opened(client, at: now) }
            case 2...4:
                let text = random.one(of: texts)
                let isDamaged = random.percent(50)
                _ = server.received(
                    isDamaged ? mutation.damage(text) : text, from: client,
                    wallClock: WallClockTime(nanoseconds: random.one(of: [.min, 0, .max])))
            case 5: server.closed(client)
            case 6: server.sent(client, octets: Int.random(in: -10...400, using: &random))
            default:
                let timestamp = CompanionScript.timestamp(
                    random.one(of: [.min, 0, step * 1_000_000, .max]), random.one(of: [nil, .min, step, .max]),
                    random.one(of: [-1_000, 0, 1, 1_000]))
                _ = server.publish(TSServerTests.published(timestamp), wallClock: TSServerTests.now)
            }
            _ = server.tick(at: now)
            #expect(server.clientCount <= 8)
            if let delay = server.commonDelay(of: .pts) { #expect(server.delayRange.contains(delay)) }
        }
        #expect(server.counters.clients.clientsOpened > 20)
    }
}
