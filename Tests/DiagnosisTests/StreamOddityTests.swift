// SPDX-License-Identifier: Apache-2.0
import Playback
import Reception
import Testing

@testable import Diagnosis

/// What is unusual about a stream is told with it, and is no fault.
@Suite struct StreamOddityTests {
    private static func stream(listedAs codec: String?, isPlayed: Bool = true, isAbsent: Bool = false) -> StreamInfo {
        StreamInfo(
            program: 1, pid: 257, codec: "latm", listedCodec: codec, language: nil, isVideo: false, isPlayed: isPlayed,
            isAbsent: isAbsent)
    }

    @Test func ofStreams() {
        #expect(Self.stream(listedAs: nil).oddity == nil)
        #expect(Self.stream(listedAs: "adts").oddity == "PID 257 carries latm, and is listed as adts")
        #expect(Self.stream(listedAs: "adts", isPlayed: false).oddity == nil)
        let absent = Self.stream(listedAs: nil, isPlayed: false, isAbsent: true).oddity
        #expect(absent == "nothing comes on PID 257, which is listed as latm")
    }

    @Test func ofDatagrams() {
        var (before, now) = (ReceptionCounters(), ReceptionCounters())
        (before.datagrams, now.datagrams) = (1_000, 2_000)
        #expect(now.oddities(since: before).isEmpty)
        now.cutDatagrams = 900
        (before.duplicatePackets, now.duplicatePackets) = (500, 1_000)
        #expect(
            now.oddities(since: before) == [
                "its datagrams cut packets, which are joined", "its datagrams come more than once",
            ])
        // Two paths bring each packet twice.
        now.lostBySecondPath = 1
        #expect(now.oddities(since: before).count == 1)
        before = now
        #expect(now.oddities(since: before).isEmpty)
    }
}
