// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Reception

struct SourceFailoverTests {
    private static func time(_ milliseconds: Int64) -> Monotonic {
        Monotonic(nanoseconds: 0) + .milliseconds(milliseconds)
    }

    private var failover = SourceFailover(count: 3, patience: .milliseconds(500), joinedAt: Self.time(0))

    @Test mutating func staysWithWhatIsHeard() {
        for moment in stride(from: Int64(0), to: 5_000, by: 100) {
            #expect(failover.heard(0, at: Self.time(moment)) == [])
            #expect(failover.tick(at: Self.time(moment + 50)) == [])
        }
        #expect(failover.joined == [0] && failover.changes == 0)
    }

    @Test mutating func goesToTheNext() {
        #expect(failover.heard(0, at: Self.time(1_000)) == [])
        #expect(failover.tick(at: Self.time(1_499)) == [])
        #expect(failover.tick(at: Self.time(1_500)) == [.join(1)])
        #expect(failover.joined == [0, 1] && failover.isSearching)
        #expect(failover.heard(1, at: Self.time(1_600)) == [.leave(0)])
        #expect(failover.current == 1 && failover.changes == 1 && !failover.isSearching)
        // Nothing leads back by itself; but when this one falls silent, around.
        #expect(failover.tick(at: Self.time(2_100)) == [.join(2)])
        #expect(failover.tick(at: Self.time(2_600)) == [.join(0)])
        #expect(failover.tick(at: Self.time(9_000)) == [])
        #expect(failover.heard(0, at: Self.time(9_100)) == [.leave(1), .leave(2)])
        #expect(failover.current == 0 && failover.changes == 2)
    }

    /// The first was never left: it comes back before the next has come, and nothing has changed.
    @Test mutating func firstReturnsFirst() {
        #expect(failover.tick(at: Self.time(500)) == [.join(1)])
        #expect(failover.heard(0, at: Self.time(550)) == [.leave(1)])
        #expect(failover.current == 0 && failover.changes == 0)
        #expect(failover.heard(1, at: Self.time(560)) == [])  // what was on its way
        #expect(failover.joined == [0])
    }

    @Test func joinsNoMoreThanTheKernelHas() {
        var failover = SourceFailover(count: 20, patience: .milliseconds(100), joinedAt: Self.time(0))
        var joined: Set = [0]
        for step in 1...50 as ClosedRange<Int64> {
            for action in failover.tick(at: Self.time(step * 100)) {
                switch action {
                case .join(let source): #expect(joined.insert(source).inserted == true)
                case .leave(let source): #expect(joined.remove(source) != nil)
                }
            }
            #expect(joined == Set(failover.joined) && joined.count <= SourceFailover.mostJoined)
        }
    }

    /// A data channel, whose silence says nothing: nothing is left, and any source may be heard next.
    @Test func keepsTheSourcesOfData() {
        var data = SourceFailover(count: 3, patience: .milliseconds(500), keepsAll: true, joinedAt: Self.time(0))
        #expect(data.heard(0, at: Self.time(100)) == [] && !data.isSilent(at: Self.time(599)))
        #expect(data.isSilent(at: Self.time(600)) && data.tick(at: Self.time(600)) == [.join(1)])
        #expect(data.tick(at: Self.time(1_100)) == [.join(2)])
        #expect(data.heard(1, at: Self.time(5_000)) == [] && data.current == 1 && data.changes == 1)
        #expect(data.tick(at: Self.time(6_000)) == [] && data.joined == [0, 1, 2])
    }

    /// With more than may be joined the others have their turn, ever more seldom.
    @Test func triesTheSourcesOfDataSeldom() {
        var data = SourceFailover(count: 10, patience: .milliseconds(500), keepsAll: true, joinedAt: Self.time(0))
        let joins = (1...36_000 as ClosedRange<Int64>).reduce(into: 0) { count, step in
            if !data.tick(at: Self.time(step * 100)).isEmpty { count += 1 }
        }
        #expect((60...85).contains(joins), "\(joins) in an hour")
        #expect(data.joined.count == SourceFailover.mostJoined)
    }

    @Test mutating func linkWasAway() {
        failover.restarted(at: Self.time(10_000))
        #expect(failover.tick(at: Self.time(10_400)) == [])
        #expect(failover.tick(at: Self.time(10_500)) == [.join(1)])
    }

    @Test func oneSourceHasNoChoice() {
        var failover = SourceFailover(count: 1, patience: .milliseconds(100), joinedAt: Self.time(0))
        #expect(failover.tick(at: Self.time(1_000)) == [])
    }
}
