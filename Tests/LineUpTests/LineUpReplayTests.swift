// SPDX-License-Identifier: Apache-2.0
import Announcements
import LineUp
import TestSupport
import Testing
import Time
import Venue

/// The same input gives the same output (rule 11), whatever the input.
struct LineUpReplayTests {
    private struct Outcome: Equatable {
        var changes: [LineUpChange] = []
        var counters = LineUpCounters()
        var channels: [Channel] = []
        var streamers: [Streamer] = []
    }

    /// 400 datagrams of 12 sessions from three senders, a third of them damaged, with losses, deletions and silence.
    private func play(seed: UInt64) -> Outcome {
        var random = SplitMix64(seed: seed)
        var mutation = Mutation(seed: seed)
        var script = Script(limits: LineUpLimits(sessions: 9, streamers: 3))
        var outcome = Outcome()
        for _ in 0..<400 {
            let number = Int64.random(in: 0..<4, using: &random)
            let sender = NumericAddress(v4: UInt32.random(in: 1...3, using: &random))
            let announcement = Script.announcement(
                number, name: "\(Int.random(in: 0..<2, using: &random))", streamer: "s\(sender.low)")
            var datagram = SAPPacket.encoded(
                Int.random(in: 0..<12, using: &random) == 0 ? .deletion : .announcement, origin: sender,
                payloadType: .announcement, payload: announcement.encoded)
            if Int.random(in: 0..<3, using: &random) == 0 { datagram = mutation.damage(datagram) }
            outcome.changes += script.hear(datagram, from: sender)
            outcome.changes += script.wait(seconds: Int.random(in: 0..<4, using: &random))
        }
        outcome.counters = script.lineUp.counters
        outcome.channels = script.lineUp.channels
        outcome.streamers = script.lineUp.streamers
        return outcome
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func twiceIsTheSame(seed: UInt64) {
        let outcome = play(seed: seed)
        #expect(play(seed: seed) == outcome)
        #expect(outcome.counters.announcementsReceived == 400)
    }

    /// Changes, told one by one to an observer, make the list; and every channel that came has gone or is there.
    @Test(arguments: 1...50 as ClosedRange<UInt64>) func changesAddUpToTheList(seed: UInt64) {
        let outcome = play(seed: seed)
        var told: [Channel.ID: Channel] = [:]
        var streamers: Set<Streamer.ID> = []
        for change in outcome.changes {
            switch change {
            case .channelAdded(let channel):
                #expect(told.updateValue(channel, forKey: channel.id) == nil)
            case .channelChanged(let channel, let was):
                #expect(told.updateValue(channel, forKey: channel.id) == was && channel != was)
            case .channelRemoved(let channel, _):
                #expect(told.removeValue(forKey: channel.id) == channel)
            case .streamerAdded(let streamer): #expect(streamers.insert(streamer.id).inserted)
            case .streamerChanged(let streamer): #expect(streamers.contains(streamer.id))
            case .streamerRemoved(let streamer): #expect(streamers.remove(streamer.id) != nil)
            }
        }
        #expect(Set(told.values) == Set(outcome.channels))
        #expect(streamers == Set(outcome.streamers.map(\.id)))
        let counters = outcome.counters
        let gone = counters.channelsPruned + counters.channelsDeleted + counters.channelsRevoked
        #expect(counters.channelsAdded == gone + UInt64(outcome.channels.count))
        #expect(counters.faults <= counters.announcementsReceived)
    }

    /// 500 channels and an hour of repetitions: a box has better things to do.
    @Test func fiveHundredChannelsAreCheap() {
        var script = Script()
        let datagrams = (1...500).map { number in
            SAPPacket.encoded(
                origin: Script.head, payloadType: .announcement,
                payload: Script.announcement(Int64(number), name: "Channel \(number)").encoded)
        }
        for datagram in datagrams { script.hear(datagram) }
        let rounds = 20
        let elapsed = processorTime {
            for _ in 0..<rounds {
                script.now += .seconds(5)
                for datagram in datagrams { script.hear(datagram) }
            }
        }
        #expect(script.lineUp.channels.count == 500)
        let each = elapsed / (rounds * datagrams.count)
        // 100 datagrams a second: 1 % of a core would be 100 µs each. Unoptimised code and busy machines included.
        #expect(each < .microseconds(500), "\(each) each")
    }
}
