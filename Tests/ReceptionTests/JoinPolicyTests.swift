// SPDX-License-Identifier: Apache-2.0
import Network
import Testing
import Time

@testable import Reception

/// SVM-05: "on down leave groups, on up rejoin all".
struct JoinPolicyTests {
    private static func time(_ milliseconds: Int64) -> Monotonic {
        Monotonic(nanoseconds: 0) + .milliseconds(milliseconds)
    }

    private let link = LinkAttachment(index: 3, session: 1)
    private var policy = JoinPolicy(
        joined: LinkAttachment(index: 3, session: 1), at: Self.time(0), SilenceWatch.Waits())

    @Test mutating func linkFlap() {
        #expect(policy.review(wanted: link, at: Self.time(100)) == .stay)
        #expect(policy.review(wanted: nil, at: Self.time(200)) == .leave)
        policy.left()
        // Silence of a link that is down is no reason for anything.
        #expect(policy.review(wanted: nil, at: Self.time(60_000)) == .stay)
        let again = LinkAttachment(index: 3, session: 2)
        #expect(policy.review(wanted: again, at: Self.time(60_001)) == .follow)
        policy.joined(on: again, at: Self.time(60_001), isRenewal: false)
        #expect(policy.review(wanted: again, at: Self.time(62_000)) == .stay)
        #expect(policy.review(wanted: again, at: Self.time(62_001)) == .renew)
    }

    /// Between two looks; or it is another interface; or it got its address.
    @Test(arguments: [
        LinkAttachment(index: 3, session: 2), LinkAttachment(index: 4, session: 3),
        LinkAttachment(index: 3, session: 1, addressing: 1),
    ]) func follows(_ wanted: LinkAttachment) {
        var policy = policy
        #expect(policy.review(wanted: wanted, at: Self.time(10)) == .follow)
        policy.left()
        policy.joined(on: wanted, at: Self.time(10), isRenewal: false)
        #expect(policy.review(wanted: wanted, at: Self.time(20)) == .stay)
    }

    @Test mutating func failedJoinIsTriedAgain() {
        let again = LinkAttachment(index: 3, session: 2)
        #expect(policy.review(wanted: again, at: Self.time(0)) == .follow)
        policy.joinFailed(on: again, at: Self.time(0))
        #expect(policy.review(wanted: again, at: Self.time(499)) == .stay)
        #expect(policy.review(wanted: again, at: Self.time(500)) == .follow)
        policy.joinFailed(on: again, at: Self.time(500))
        // A link that came up anew is not waited for.
        let newer = LinkAttachment(index: 3, session: 3)
        #expect(policy.review(wanted: newer, at: Self.time(501)) == .follow)
    }

    @Test func nothingNeedComeOnControlPorts() {
        var policy = JoinPolicy(joined: link, at: Self.time(0), nil)
        #expect(policy.review(wanted: link, at: Self.time(600_000)) == .stay)
    }
}
