// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time
import Venue

@testable import Synchronisation

@Suite struct WallClockResponderTests {
    private static let quality = ClockQuality(precision: Nanoseconds(1_000), frequencyError: .ppm(50))
    private static let start = Monotonic(nanoseconds: 3_000_000_000)

    private static func responder(_ limits: WallClockResponder.Limits = .init()) -> WallClockResponder {
        WallClockResponder(quality: quality, offset: .seconds(100), limits: limits)
    }

    private static func client(_ number: UInt32) -> NumericAddress { NumericAddress(v4: 0x0a00_0000 + number) }

    @Test func answersFromTheReceiveStamp() {
        var responder = Self.responder()
        let answer = responder.requestReceived(
            from: Self.client(1), arrival: Self.start, now: Self.start + .microseconds(70))
        #expect(answer?.requestReceived.nanoseconds == 103_000_000_000)
        #expect(answer?.responseSent.nanoseconds == 103_000_070_000)
        #expect(answer?.server == Self.quality)
        // A stamp in the future is wrong: the server would say that it answered before it was asked.
        let other = responder.requestReceived(
            from: Self.client(1), arrival: Self.start + .seconds(1), now: Self.start + .microseconds(90))
        #expect(other?.requestReceived == other?.responseSent)
    }

    @Test func eachClientIsLimitedForItself() {
        var responder = Self.responder(
            .init(perClient: RateLimit(atOnce: 5, perSecond: 10), ofAll: RateLimit(atOnce: 1_000, perSecond: 1_000)))
        func answers(_ client: UInt32, _ count: Int, at now: Monotonic) -> Int {
            (0..<count).count { _ in
                responder.requestReceived(from: Self.client(client), arrival: now, now: now) != nil
            }
        }
        #expect(answers(1, 100, at: Self.start) == 5)
        #expect(answers(2, 3, at: Self.start) == 3)
        #expect(answers(1, 100, at: Self.start + .seconds(1)) == 5)
        #expect(responder.counters.requestsOverRate == 190)
        #expect(responder.counters.requests == 203)
    }

    @Test func allTogetherAreLimited() {
        var responder = Self.responder(
            .init(perClient: RateLimit(atOnce: 5, perSecond: 10), ofAll: RateLimit(atOnce: 20, perSecond: 10)))
        let answered = (0..<100 as Range<UInt32>).count {
            responder.requestReceived(from: Self.client($0), arrival: Self.start, now: Self.start) != nil
        }
        #expect(answered == 20)
        #expect(responder.counters.requestsOverTotalRate == 80)
        // What is not answered takes no room.
        #expect(responder.clientCount == 20)
    }

    @Test func aFloodOfAddressesIsBounded() {
        var responder = Self.responder(.init(clients: 64))
        var now = Self.start
        for number in 0..<5_000 as Range<UInt32> {
            now += .microseconds(60)
            _ = responder.requestReceived(from: Self.client(number), arrival: now, now: now)
            #expect(responder.clientCount <= 64)
        }
        #expect(responder.counters.clientsForgotten > 4_000)
        // Who asks now and then is forgotten without being counted.
        let before = responder.counters.clientsForgotten
        for number in 0..<1_000 as Range<UInt32> {
            now += .seconds(1)
            _ = responder.requestReceived(from: Self.client(number), arrival: now, now: now)
        }
        #expect(responder.counters.clientsForgotten == before)
    }

    @Test func garbageIsCounted() {
        var responder = Self.responder()
        for _ in 0..<3 { responder.datagramMalformed() }
        responder.messageUnexpected()
        #expect(responder.counters.datagramsMalformed == 3)
        #expect(responder.counters.messagesUnexpected == 1)
        #expect(responder.counters.requests == 0)
    }

    @Test func absurdTimesAreSurvivedAndCounted() {
        var responder = Self.responder()
        for value in [.min, -200_000_000_000, 1 << 62, .max] as [Int64] {
            for other in [.min, 0, .max] as [Int64] {
                let answer = responder.requestReceived(
                    from: Self.client(1), arrival: Monotonic(nanoseconds: other), now: Monotonic(nanoseconds: value))
                #expect(answer.map { $0.responseSent.isRepresentable && $0.requestReceived.isRepresentable } ?? true)
            }
        }
        #expect(responder.counters.requestsOutOfRange >= 6)
    }

    /// A limit that looks into the future would refuse everybody until then.
    @Test func aLocalClockThatRunsBackwardsDoesNotLockClientsOut() {
        var responder = Self.responder(
            .init(perClient: RateLimit(atOnce: 2, perSecond: 1), ofAll: RateLimit(atOnce: 2, perSecond: 1)))
        let late = Self.start + .seconds(1_000)
        for _ in 0..<5 { _ = responder.requestReceived(from: Self.client(1), arrival: late, now: late) }
        #expect(responder.requestReceived(from: Self.client(1), arrival: Self.start, now: Self.start) != nil)
        #expect(responder.counters.localStepsBack == 1)
    }

    /// Ours to ours: a server and clients at full effort, with the client's clock 40 ppm slow.
    @Test(arguments: Effort.seeds(4)) func ourClientLocksToOurServer(seed: UInt64) {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        var responder = Self.responder()
        var requester = WallClockRequester(local: Self.quality, at: Self.start)
        /// The server's local clock.
        func there(_ instant: Monotonic) -> Monotonic {
            instant + .seconds(500) + Nanoseconds((instant - Self.start).count / 25_000)
        }
        var now = Self.start
        var arrivals: [(WallClockResponse, Monotonic)] = []
        var errors = Errors()
        while now - Self.start < .seconds(60) {
            var actions: [WallClockRequester.Action]
            if let next = arrivals.first, next.1 <= requester.nextTick {
                arrivals.removeFirst()
                now = next.1
                actions = requester.responseReceived(next.0, at: now)
            } else {
                now = requester.nextTick
                actions = requester.tick(at: now)
            }
            for case .send(let originate) in actions {
                let (out, held, back) = SimulatedNetwork.kernelStamps.exchange(&random)
                let arrival = now + Nanoseconds(out)
                let answer = responder.requestReceived(
                    from: Self.client(1), arrival: there(arrival), now: there(arrival + Nanoseconds(held)))
                guard let answer else { continue }
                let response = WallClockResponse(
                    .response, originate: originate, requestReceived: answer.requestReceived,
                    responseSent: answer.responseSent, server: answer.server)
                arrivals.append((response, arrival + Nanoseconds(held + back)))
                arrivals.sort { $0.1 < $1.1 }
            }
            if let clock = requester.clock {
                let error = clock.wallClock(at: now) - responder.wallClock(at: there(now))
                errors.add(error.count)
                #expect(error.magnitude <= clock.dispersion(at: now))
            }
        }
        #expect(errors.nearlyAll < 20_000)
        #expect(requester.state == .locked)
        #expect(responder.counters.requestsOverRate == 0)
    }

    @Test func statisticsHaveNamesOfTheirOwn() {
        let groups = [
            WallClockResponderCounters.statistics.map(\.about.name),
            WallClockRequesterCounters.statistics.map(\.about.name),
            WallClockServerCounters.statistics.map(\.about.name),
        ]
        #expect(groups.allSatisfy { Set($0).count == $0.count })
    }
}
