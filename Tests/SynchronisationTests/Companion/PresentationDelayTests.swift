// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import TestSupport
import Testing
import Time

@testable import Synchronisation

/// When clients say that they can present, and the delay that follows for the server.
@Suite struct PresentationDelayTests {
    private static let range = Nanoseconds.zero ... .seconds(10)

    /// - Parameter milliseconds: after the server presents the same; nil if there is no bound.
    private static func timestamps(_ earliest: Int64?, _ latest: Int64?, at contentTime: Int64 = 90_000) -> [UInt8] {
        func bound(_ milliseconds: Int64?) -> PresentationTimestamps.Bound {
            PresentationTimestamps.Bound(
                contentTime: contentTime,
                wallClockTime: milliseconds.map {
                    WallClockTime(nanoseconds: contentTime / 90_000 * 1_000_000_000 + $0 * 1_000_000)
                })
        }
        return PresentationTimestamps(actual: nil, earliest: bound(earliest), latest: bound(latest)).octets
    }

    private static func delays(_ all: [(Int64?, Int64?)]) -> [PresentationDelays] {
        all.map { earliest, latest in
            PresentationDelays(
                earliest: earliest.map { .milliseconds($0) }, latest: latest.map { .milliseconds($0) })
        }
    }

    @Test(
        arguments: [
            ([], nil), ([(nil, nil)], nil), ([(nil, 500)], nil), ([(200, nil)], 200),
            ([(200, nil), (300, nil), (nil, nil)], 300),
            // The one that needs 900 ms would leave the one behind that can wait for 500 ms only.
            ([(200, 500), (300, nil), (900, nil)], 300), ([(200, 500), (500, 501)], 500),
            // The range of the server.
            ([(-200, nil)], 0), ([(20_000, nil)], 10_000), ([(-500, -100), (400, nil)], 400),
            // Only those that nobody could wait for.
            ([(900, nil), (nil, 500)], nil),
        ] as [([(Int64?, Int64?)], Int64?)])
    func theMostDemandingClientThatCanBeWaitedForCounts(clients: [(Int64?, Int64?)], milliseconds: Int64?) {
        let common = PresentationDelays.common(Self.delays(clients), in: Self.range)
        #expect(common?.milliseconds == milliseconds)
    }

    @Test func clientsAreAskedAndForgotten() {
        var server = TSServerTests.server(following: ["", "", "x"])
        #expect(server.commonDelay(of: .pts) == nil)
        _ = server.received(Self.timestamps(250, nil), from: TSServerTests.client(1), wallClock: TSServerTests.now)
        _ = server.received(Self.timestamps(400, nil), from: TSServerTests.client(2), wallClock: TSServerTests.now)
        // Its content is not there.
        _ = server.received(Self.timestamps(900, nil), from: TSServerTests.client(3), wallClock: TSServerTests.now)
        #expect(server.commonDelay(of: .pts) == .milliseconds(400) && server.commonDelay(of: .compositionTime) == nil)
        server.closed(TSServerTests.client(2))
        #expect(server.commonDelay(of: .pts) == .milliseconds(250))
        _ = server.received(Self.timestamps(nil, nil), from: TSServerTests.client(1), wallClock: TSServerTests.now)
        #expect(server.commonDelay(of: .pts) == nil)
    }

    /// A server that delays what it presents delays its timestamps; the delay that clients need is the same.
    @Test func theDelayIsStable() {
        var server = TSServerTests.server(following: [""])
        _ = server.received(Self.timestamps(400, nil), from: TSServerTests.client(1), wallClock: TSServerTests.now)
        let delayed = CompanionScript.timestamp(400_000_000, 0)
        _ = server.publish(
            TSServerTests.published(delayed, delay: .milliseconds(400)), wallClock: TSServerTests.now)
        #expect(server.commonDelay(of: .pts) == .milliseconds(400))
        // The client says the same of another place.
        _ = server.received(
            Self.timestamps(400, nil, at: 900_000), from: TSServerTests.client(1), wallClock: TSServerTests.now)
        #expect(server.commonDelay(of: .pts) == .milliseconds(400))
    }

    /// While the timeline stands, a place has no instant, and what was said before counts.
    @Test func aPauseChangesNoDelay() {
        var server = TSServerTests.server(following: [""])
        _ = server.received(Self.timestamps(400, nil), from: TSServerTests.client(1), wallClock: TSServerTests.now)
        let paused = CompanionScript.timestamp(5_000_000_000, 450_000, 0)
        _ = server.publish(TSServerTests.published(paused), wallClock: TSServerTests.now)
        _ = server.received(Self.timestamps(700, nil), from: TSServerTests.client(1), wallClock: TSServerTests.now)
        #expect(server.commonDelay(of: .pts) == .milliseconds(400))
    }

    @Test func absurdOnesAreCounted() {
        var server = TSServerTests.server(following: [""])
        _ = server.received(Self.timestamps(400, 300), from: TSServerTests.client(1), wallClock: TSServerTests.now)
        let far = PresentationTimestamps.Bound(contentTime: .min, wallClockTime: WallClockTime(nanoseconds: .max))
        let never = PresentationTimestamps(actual: nil, earliest: far, latest: far)
        _ = server.received(never.octets, from: TSServerTests.client(1), wallClock: TSServerTests.now)
        #expect(server.counters.presentationsAbsurd == 2 && server.commonDelay(of: .pts) == nil)
    }
}
