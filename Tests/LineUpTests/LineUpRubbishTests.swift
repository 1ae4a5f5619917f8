// SPDX-License-Identifier: Apache-2.0
import Announcements
import LineUp
import TestSupport
import Testing
import Time
import Venue

/// A thousand datagrams a second that announce nothing, from as many senders as there are, change nothing.
struct LineUpRubbishTests {
    private static func rubbish(_ number: Int, _ random: inout SplitMix64) -> [UInt8] {
        let octets = (0..<Int.random(in: 0..<200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
        }
        let header: [UInt8] = [0x20, 0, UInt8(truncatingIfNeeded: number), 1, 10, 0, 0, 9]
        switch number % 6 {
        case 0: return octets.map { $0 & 0xdf }  // of no version that is read
        case 1: return [0x22] + header[1...] + octets
        case 2: return [0x21] + header[1...] + [0x78, 0xdb] + octets  // not zlib: its check digits are wrong
        case 3: return header + Array("application/octet-stream\0".utf8) + octets
        case 4: return header + Array("application/vnd.touchline.announcement+json\0{".utf8) + octets
        default: return header + Array("v=0\r\no=- 0 0 IN IP4 1.1.1.1\r\ns=x\r\n\u{1}".utf8) + octets
        }
    }

    @Test(arguments: Effort.seeds(2)) func changesNothing(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var script = Script()
        script.hear(Script.announcement())
        script.hear(sdp: Script.sdp())
        let (channels, streamers) = (script.lineUp.channels, script.lineUp.streamers.map(\.id))
        var changes: [LineUpChange] = []
        for second in 0..<4 {
            for number in 0..<1_000 {
                let sender = NumericAddress(v4: UInt32.random(in: .min ... .max, using: &random))
                changes += script.hear(Self.rubbish(number, &random), from: sender)
            }
            changes += script.wait(seconds: 1)
            if second % 2 == 0 { script.hear(Script.announcement()) }
        }
        #expect(changes == [])
        #expect(script.lineUp.channels == channels && script.lineUp.streamers.map(\.id) == streamers)
        let counters = script.lineUp.counters
        #expect(counters.faults == 4_000 && counters.announcementsEncrypted == 668)
        #expect(counters.channelsAdded == 2 && counters.channelsPruned == 0)
    }

    /// Sound announcements of more sessions than anybody has: those of others keep their places and find new ones.
    @Test func aFloodOfOneSenderTakesNobodysPlace() {
        var script = Script(limits: LineUpLimits(sessions: 50, sessionsPerSender: 20))
        script.hear(Script.announcement())
        for number in 0..<1_000 as Range<Int64> {
            script.hear(Script.announcement(number, name: "Flood", streamer: "flood"), from: Script.other)
        }
        #expect(script.lineUp.channels.count == 21)
        #expect(script.lineUp.counters.announcementsOverQuota == 980 && script.lineUp.counters.faults == 980)
        script.hear(Script.announcement(2))
        #expect(script.lineUp.channels.count == 22)
        // What goes makes room.
        script.hear(Script.announcement(3, name: "Flood", streamer: "flood"), from: Script.other, deletes: true)
        script.hear(Script.announcement(999, name: "Flood", streamer: "flood"), from: Script.other)
        #expect(script.lineUp.channels.count == 22 && script.lineUp.counters.announcementsOverQuota == 980)
    }
}
