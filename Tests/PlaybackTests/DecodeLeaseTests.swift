// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Playback

/// PLAY-45: when a decode thread counts as hanging, and what it may do then.
@Suite struct DecodeLeaseTests {
    private let lease = DecodeLease()
    private var watch = DecodeWatch()
    private var now = Monotonic(nanoseconds: 1_000_000_000)

    /// - Returns: whether the thread was found stuck within this time, at ten looks a second.
    private mutating func isStuck(within span: Nanoseconds) -> Bool {
        let end = now + span
        while now < end {
            now = now + .milliseconds(100)
            if watch.isStuck(lease.renewal, at: now) { return true }
        }
        return false
    }

    @Test mutating func aCallThatDoesNotReturn() {
        #expect(lease.renew(at: now))
        let early = isStuck(within: .milliseconds(2_900))
        let late = isStuck(within: .milliseconds(300))
        #expect(!early && late)
    }

    @Test mutating func aThreadThatWorksOrRests() {
        for _ in 0..<10 {
            #expect(lease.renew(at: now))
            let isStuck = isStuck(within: .seconds(2))
            #expect(!isStuck)
        }
        #expect(lease.rest() && lease.renewal == nil)
        let isStuck = isStuck(within: .seconds(60))
        #expect(!isStuck)
    }

    /// A process that was stopped for a minute finds its decoders as they were.
    @Test mutating func aStandstillOfTheProcess() {
        #expect(lease.renew(at: now))
        let before = isStuck(within: .seconds(1))
        now = now + .seconds(60)
        let after = watch.isStuck(lease.renewal, at: now)
        #expect(!before && !after)
    }

    @Test func whatIsTakenAwayIsLost() throws {
        #expect(lease.renew(at: now))
        let renewal = try #require(lease.renewal)
        #expect(lease.renew(at: now + .milliseconds(1)))
        #expect(!lease.takeAway(renewedLast: renewal), "it has come back meanwhile")
        let next = try #require(lease.renewal)
        #expect(lease.takeAway(renewedLast: next))
        #expect(!lease.renew(at: now) && !lease.rest() && lease.renewal == nil)
    }
}
