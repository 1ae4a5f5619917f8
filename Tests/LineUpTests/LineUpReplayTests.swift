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
        var listed: [ListedChannel] = []
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
        outcome.listed = script.lineUp.listed
        outcome.streamers = script.lineUp.streamers
        return outcome
    }

    @Test(arguments: Effort.seeds(8)) func twiceIsTheSame(seed: UInt64) {
        let outcome = play(seed: seed)
        #expect(play(seed: seed) == outcome)
        #expect(outcome.counters.announcementsReceived == 400)
    }

    /// Changes, told one by one to an observer, make the list; and every channel that came has gone or is there.
    @Test(arguments: Effort.seeds(50)) func changesAddUpToTheList(seed: UInt64) {
        let outcome = play(seed: seed)
        var told: [Channel.ID: ListedChannel] = [:]
        var streamers: Set<Streamer.ID> = []
        for change in outcome.changes {
            switch change {
            case .channelAdded(let entry):
                #expect(told.updateValue(entry, forKey: entry.id) == nil)
            case .channelChanged(let entry, let was):
                #expect(told.updateValue(entry, forKey: entry.id) == was && entry != was)
            case .channelRemoved(let entry, _):
                #expect(told.removeValue(forKey: entry.id) == entry)
            case .streamerAdded(let streamer): #expect(streamers.insert(streamer.id).inserted)
            case .streamerChanged(let streamer): #expect(streamers.contains(streamer.id))
            case .streamerRemoved(let streamer): #expect(streamers.remove(streamer.id) != nil)
            }
            #expect(Set(told.values.map(\.number)).count == told.count)
        }
        #expect(Set(told.values) == Set(outcome.listed))
        #expect(streamers == Set(outcome.streamers.map(\.id)))
        let counters = outcome.counters
        let gone = counters.channelsPruned + counters.channelsDeleted + counters.channelsRevoked
        #expect(counters.channelsAdded == gone + UInt64(outcome.channels.count))
        #expect(counters.faults <= counters.announcementsReceived)
    }
}
