// SPDX-License-Identifier: Apache-2.0
import Network
import Testing
import Time
import Venue

@testable import Synchronisation

/// Which responses a server follows up.
@Suite struct WallClockFollowUpsTests {
    private static let start = Monotonic(nanoseconds: 1_000_000_000)
    private var followUps = WallClockFollowUps()
    private var number: UInt32 = 0

    /// - Returns: whether it was announced; nil if it was not stamped.
    private mutating func respond(after span: Nanoseconds) -> Bool? {
        let now = Self.start + span
        let isAnnounced = followUps.isAnnounced
        guard followUps.isStamped(at: now) else { return nil }
        let answer = WallClockResponder.Answer(
            requestReceived: WallClockInstant(nanoseconds: 1), responseSent: WallClockInstant(nanoseconds: 2),
            server: ClockQuality(precision: .zero, frequencyError: .ppm(1)))
        followUps.responseSent(
            .init(
                client: DatagramPeer(NumericAddress(v4: 1), port: 1), originate: UInt64(number), answer: answer,
                isAnnounced: isAnnounced), number: number, at: now)
        number += 1
        return isAnnounced
    }

    @Test mutating func areAnnouncedOnceAStampHasCome() {
        #expect(respond(after: .zero) == false)
        // One trial at a time.
        #expect(respond(after: .milliseconds(1)) == nil)
        #expect(followUps.stampCame(number: 0) == nil)
        #expect(respond(after: .milliseconds(2)) == true)
        #expect(respond(after: .milliseconds(2)) == true)
        #expect(followUps.stampCame(number: 2)?.originate == 2)
        #expect(followUps.stampCame(number: 2) == nil)
        #expect(followUps.stampCame(number: 77) == nil)
        #expect(followUps.stampCame(number: 1)?.originate == 1)
        #expect(followUps.deadline == nil)
    }

    @Test mutating func anInterfaceWithoutStampsIsTriedSeldom() {
        var tried = 0
        for step in 0..<200 as Range<Int64> {
            let now = Nanoseconds.milliseconds(20 * step)
            #expect(followUps.expired(at: Self.start + now).isEmpty)
            guard let isAnnounced = respond(after: now) else { continue }
            #expect(!isAnnounced)
            tried += 1
        }
        #expect(tried == 4)
    }

    @Test mutating func stampsThatNoLongerComeAreMadeUpFor() {
        _ = respond(after: .zero)
        _ = followUps.stampCame(number: 0)
        for step in 0..<3 as Range<Int64> { #expect(respond(after: .milliseconds(step)) == true) }
        #expect(followUps.deadline == Self.start + .milliseconds(50))
        #expect(followUps.expired(at: Self.start + .milliseconds(49)).isEmpty)
        #expect(followUps.expired(at: Self.start + .milliseconds(51)).map(\.originate) == [1, 2])
        #expect(!followUps.isAnnounced)
        #expect(followUps.expired(at: Self.start + .milliseconds(52)).map(\.originate) == [3])
        // A late one says that they do come.
        #expect(respond(after: .seconds(2)) == false)
        #expect(followUps.stampCame(number: 4) == nil)
        #expect(followUps.isAnnounced)
    }

    @Test mutating func noMoreWaitThanThereIsRoomFor() {
        _ = respond(after: .zero)
        _ = followUps.stampCame(number: 0)
        for _ in 0..<WallClockFollowUps.most { #expect(respond(after: .milliseconds(1)) == true) }
        #expect(!followUps.isAnnounced)
        #expect(respond(after: .milliseconds(1)) == nil)
        #expect(followUps.stampCame(number: 5)?.originate == 5)
        #expect(respond(after: .milliseconds(1)) == true)
    }

    @Test mutating func numbersThatRestartEndAllThatWait() {
        _ = respond(after: .zero)
        _ = followUps.stampCame(number: 0)
        _ = respond(after: .milliseconds(1))
        #expect(followUps.numbersRestarted().map(\.originate) == [1])
        #expect(followUps.deadline == nil && followUps.isAnnounced)
    }
}
