// SPDX-License-Identifier: Apache-2.0
import Testing
import Venue

@testable import DataReception

/// Joined on the first observer, left with the last, by channel and by name (SVM-43…46).
@Suite struct DataSubscriptionsTests {
    private typealias Subscriptions = DataSubscriptions<Int>
    private var subscriptions = DataSubscriptions<Int>()
    private let one = Listing.channel("s/1", "Scores")

    @Test mutating func joinsOnTheFirstObserverAndLeavesWithTheLast() {
        #expect(subscriptions.lineUpChanged([Listing.entry("s/1", "Scores")]).isEmpty)
        #expect(subscriptions.add(1, to: .channel(one.id)) == [.join(one)])
        #expect(subscriptions.add(2, to: .name("Scores")).isEmpty)
        #expect(subscriptions.add(2, to: .channel(one.id)).isEmpty)
        #expect(subscriptions.observers(of: one.id) == [1, 2])
        #expect(subscriptions.remove(1, from: .channel(one.id)).isEmpty)
        #expect(subscriptions.remove(2, from: .channel(one.id)).isEmpty)
        #expect(subscriptions.observers(of: one.id) == [2])
        #expect(subscriptions.remove(2, from: .name("Scores")) == [.leave(one.id)])
        #expect(subscriptions.isEmpty)
    }

    @Test mutating func generalRemovalTakesBothForms() {
        _ = subscriptions.lineUpChanged([Listing.entry("s/1", "Scores")])
        _ = subscriptions.add(1, to: .channel(one.id))
        _ = subscriptions.add(1, to: .name("Scores"))
        #expect(subscriptions.remove(1) == [.leave(one.id)])
        #expect(subscriptions.remove(1).isEmpty)
    }

    @Test mutating func aNameMayPrecedeItsChannel() {
        #expect(subscriptions.add(1, to: .name("Scores")).isEmpty)
        #expect(subscriptions.binding(of: .name("Scores")) == nil)
        #expect(subscriptions.lineUpChanged([Listing.entry("s/1", "Scores")]) == [.join(one)])
        #expect(subscriptions.binding(of: .name("Scores")) == one.id)
        #expect(subscriptions.lineUpChanged([]) == [.leave(one.id)])
        #expect(subscriptions.lineUpChanged([Listing.entry("s/1", "Scores")]) == [.join(one)])
    }

    @Test mutating func soMayAChannel() {
        #expect(subscriptions.add(1, to: .channel(one.id)).isEmpty)
        #expect(subscriptions.lineUpChanged([Listing.entry("s/1", "Scores")]) == [.join(one)])
    }

    @Test mutating func aNameFollowsWhoeverHasIt() {
        _ = subscriptions.add(1, to: .name("Scores"))
        _ = subscriptions.lineUpChanged([Listing.entry("s/1", "Scores")])
        let other = Listing.channel("t/9", "Scores")
        #expect(
            subscriptions.lineUpChanged([Listing.entry("t/9", "Scores"), Listing.entry("s/1", "Scores")])
                == [.leave(one.id), .join(other)])
        #expect(subscriptions.observers(of: one.id).isEmpty && subscriptions.observers(of: other.id) == [1])
    }

    @Test mutating func aChannelThatMovesIsJoinedAnew() {
        _ = subscriptions.add(1, to: .name("Scores"))
        _ = subscriptions.lineUpChanged([Listing.entry("s/1", "Scores")])
        #expect(
            subscriptions.lineUpChanged([Listing.entry("s/1", "Scores", port: 6_000)])
                == [.leave(one.id), .join(Listing.channel("s/1", "Scores", port: 6_000))])
        #expect(subscriptions.lineUpChanged([Listing.entry("s/1", "Scores", port: 6_000)]).isEmpty)
    }

    @Test mutating func namesOfTheListAndOfTheChannelAndIdsAreKnown() {
        _ = subscriptions.lineUpChanged([Listing.entry("s/1", "Scores", shown: "Results")])
        for name in ["Results", "Scores", "s/1"] { #expect(subscriptions.binding(of: .name(name)) == one.id) }
    }

    @Test mutating func whatIsNoDataInRTPIsNotJoined() {
        var film = Listing.entry("s/1", "Scores")
        var channel = one
        channel.kind = .video
        film.content = .channel(channel)
        var bare = Listing.entry("s/2", "Scores")
        channel.kind = .data
        channel.transport.encapsulation = .raw
        bare.content = .channel(channel)
        #expect(subscriptions.add(1, to: .name("Scores")).isEmpty)
        #expect(subscriptions.lineUpChanged([film, bare]).isEmpty)
    }
}
