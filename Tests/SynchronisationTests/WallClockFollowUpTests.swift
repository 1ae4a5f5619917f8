// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Synchronisation

/// A client whose clock and whose server's are equal, and one request.
@Suite struct WallClockFollowUpTests {
    private static let start = Monotonic(nanoseconds: 1_000_000_000)
    private static let quality = ClockQuality(precision: .zero, frequencyError: .ppm(1))
    private var requester = WallClockRequester(local: Self.quality, at: Self.start)

    init() { #expect(requester.tick(at: Self.start) == [.send(originate: Self.start)]) }

    private func message(
        _ kind: WallClockResponse.Kind, received: Int64 = 100_000, sent: Int64, of originate: Monotonic = Self.start
    ) -> WallClockResponse {
        WallClockResponse(
            kind, originate: originate, requestReceived: WallClockInstant(nanoseconds: 1_000_000_000 + received),
            responseSent: WallClockInstant(nanoseconds: 1_000_000_000 + sent), server: Self.quality)
    }

    private static func at(_ microseconds: Int64) -> Monotonic { start + .microseconds(microseconds) }

    private func offset(at microseconds: Int64) -> Int64? { requester.estimate?.offset(at: Self.at(microseconds)) }

    /// The request took 100 µs. The response left 200 µs later than it says, and took 100 µs as well.
    @Test mutating func aFollowUpIsBetterThanItsResponse() {
        _ = requester.responseReceived(message(.responseToBeFollowedUp, sent: 110_000), at: Self.at(400))
        #expect(requester.estimate == nil)
        _ = requester.responseReceived(message(.followUp, sent: 300_000), at: Self.at(500))
        #expect(requester.counters.followUps == 1)
        #expect((offset(at: 400) ?? .max).magnitude < 1_000)
        // The follow-up may be wrong: the dispersion does not rely on it.
        #expect(requester.estimate?.interval.lower == -290_000)
    }

    @Test mutating func aFollowUpMayComeFirst() {
        _ = requester.responseReceived(message(.followUp, sent: 300_000), at: Self.at(390))
        #expect(requester.estimate == nil)
        _ = requester.responseReceived(message(.responseToBeFollowedUp, sent: 110_000), at: Self.at(400))
        #expect(requester.counters.followUps == 1)
        #expect((offset(at: 400) ?? .max).magnitude < 1_000)
    }

    @Test mutating func aResponseIsUsedWhenItsFollowUpDoesNotCome() {
        _ = requester.responseReceived(message(.responseToBeFollowedUp, sent: 110_000), at: Self.at(400))
        // Other requests are sent meanwhile.
        while requester.nextTick < Self.at(200_400) { _ = requester.tick(at: requester.nextTick) }
        #expect(requester.estimate == nil)
        _ = requester.tick(at: Self.at(200_400))
        #expect(requester.counters.followUpsMissed == 1)
        #expect((90_000...100_000).contains((offset(at: 400) ?? .max).magnitude))
        _ = requester.responseReceived(message(.followUp, sent: 300_000), at: Self.at(200_500))
        #expect(requester.counters.responsesUnmatched == 1)
        #expect(requester.counters.candidatesAccepted == 1)
    }

    /// pydvbcss reads its clock again for the follow-up, which may be when the response has long arrived.
    @Test mutating func aFollowUpThatCannotBeIsNotUsed() {
        _ = requester.responseReceived(message(.responseToBeFollowedUp, sent: 110_000), at: Self.at(400))
        _ = requester.responseReceived(message(.followUp, sent: 900_000), at: Self.at(500))
        #expect(requester.counters.followUps == 0)
        #expect(requester.counters.candidatesAccepted == 1)
        #expect(requester.counters.candidatesRefused == 0)
    }

    @Test mutating func repeatedAndStrangeResponsesAreCounted() {
        _ = requester.responseReceived(message(.responseToBeFollowedUp, sent: 110_000), at: Self.at(400))
        _ = requester.responseReceived(message(.responseToBeFollowedUp, sent: 120_000), at: Self.at(410))
        #expect(requester.counters.responsesRepeated == 1)
        _ = requester.responseReceived(message(.response, sent: 110_000, of: Self.at(7)), at: Self.at(420))
        #expect(requester.counters.responsesUnmatched == 1)
        _ = requester.responseReceived(message(.followUp, sent: 300_000), at: Self.at(500))
        _ = requester.responseReceived(message(.followUp, sent: 300_000), at: Self.at(510))
        #expect(requester.counters.responsesUnmatched == 2)
        #expect(requester.counters.candidatesAccepted == 1)
    }

    /// The kernel sent the request 60 µs after it was made, and says so.
    @Test mutating func theKernelsStampReplacesTheOriginateTime() {
        requester.requestSent(originate: Self.start, at: Self.at(60))
        requester.requestSent(originate: Self.at(9), at: Self.at(70))
        requester.requestSent(originate: Self.start, at: Self.start - .seconds(1))
        _ = requester.responseReceived(message(.response, sent: 110_000), at: Self.at(150))
        #expect((offset(at: 150) ?? .max).magnitude < 1_000)
        #expect(requester.estimate?.interval.upper ?? .max <= 40_001)
    }

    @Test mutating func responsesThatCannotBeAreRefused() {
        _ = requester.responseReceived(message(.response, received: 200_000, sent: 100_000), at: Self.at(400))
        #expect(requester.counters.candidatesRefused == 1)
        #expect(requester.estimate == nil)
    }
}
