// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Playback

private func at(_ milliseconds: Int64) -> Monotonic { Monotonic(nanoseconds: milliseconds * 1_000_000) }

@Suite struct OverloadLadderTests {
    /// Feeds a picture each 40 ms.
    private func feed(
        _ ladder: inout OverloadLadder, from start: Int64, for milliseconds: Int64, lateness: Nanoseconds
    ) -> Int64 {
        var time = start
        while time < start + milliseconds {
            _ = ladder.pictureDecoded(lateness: lateness, load: 1_000, at: at(time))
            time += 40
        }
        return time
    }

    @Test func staysWhereItIsWhenPicturesAreEarly() {
        var ladder = OverloadLadder(mayAddThreads: true)
        _ = feed(&ladder, from: 1_000, for: 60_000, lateness: .milliseconds(-150))
        #expect(ladder.step == .everything)
    }

    /// One late picture is an accident.
    @Test func aSingleLatePictureChangesNothing() {
        var ladder = OverloadLadder(mayAddThreads: true)
        for second in 1..<60 as Range<Int64> {
            _ = ladder.pictureDecoded(lateness: .milliseconds(10), load: 1_000, at: at(second * 1_000))
            _ = feed(&ladder, from: second * 1_000 + 40, for: 900, lateness: .milliseconds(-100))
        }
        #expect(ladder.step == .everything)
    }

    @Test func climbsStepByStepWhileLate() {
        var ladder = OverloadLadder(mayAddThreads: true)
        var seen: [OverloadLadder.Step] = []
        for index in 0..<200 as Range<Int64> {
            let changed = ladder.pictureDecoded(lateness: .milliseconds(30), load: 1_000, at: at(1_000 + index * 40))
            if changed { seen.append(ladder.step) }
        }
        #expect(seen == [.anotherThread, .noLoopFilter, .noNonReference, .randomAccessOnly])
    }

    @Test func withOneCoreThereIsNoOtherThread() {
        var ladder = OverloadLadder(mayAddThreads: false)
        _ = feed(&ladder, from: 1_000, for: 300, lateness: .milliseconds(30))
        #expect(ladder.step == .noLoopFilter)
    }

    /// Far behind, nothing is decoded until the next random-access point: latency never grows.
    @Test func givesTheRestOfTheGroupUpWhenFarBehind() {
        var ladder = OverloadLadder(mayAddThreads: true)
        _ = ladder.pictureDecoded(lateness: .milliseconds(500), load: 1_000, at: at(1_000))
        #expect(ladder.skipsToRandomAccess && ladder.isTooLate(.milliseconds(500)))
        let behind = ladder.isWorthDecoding(lateness: .milliseconds(-100))
        let begins = ladder.beginsAtRandomAccess(lateness: .milliseconds(-100), isNewest: false)
        let next = ladder.isWorthDecoding(lateness: .milliseconds(-60))
        #expect(!behind && begins && next)
        #expect(ladder.step == .anotherThread)
    }

    /// A picture that would be left out is not decoded first.
    @Test func decodesNothingThatWouldComeTooLate() {
        var ladder = OverloadLadder(mayAddThreads: true)
        _ = ladder.pictureDecoded(lateness: .milliseconds(100), load: 1_000, at: at(1_000))
        let late = [250, 350, 0].map { ladder.isWorthDecoding(lateness: .milliseconds($0)) }
        #expect(late == [true, false, false])
    }

    /// Of several random-access points that wait, one that is in time is taken, else the newest.
    @Test func passesRandomAccessPointsThatAreLate() {
        var ladder = OverloadLadder(mayAddThreads: true)
        _ = ladder.pictureDecoded(lateness: .milliseconds(2_500), load: 1_000, at: at(1_000))
        let late = [2_000, 1_000].map { ladder.beginsAtRandomAccess(lateness: .milliseconds($0), isNewest: false) }
        let newest = ladder.beginsAtRandomAccess(lateness: .milliseconds(10), isNewest: true)
        #expect(late == [false, false] && newest && !ladder.skipsToRandomAccess)
    }

    /// What the network held up comes late, and is shown.
    @Test func anIdleDecoderLeavesNothingOut() {
        var ladder = OverloadLadder(mayAddThreads: true)
        _ = ladder.pictureDecoded(lateness: .seconds(2), load: 300, at: at(1_000))
        let isDecoded = ladder.isWorthDecoding(lateness: .seconds(2))
        let begins = ladder.beginsAtRandomAccess(lateness: .seconds(2), isNewest: false)
        #expect(!ladder.isTooLate(.seconds(2)) && isDecoded && begins)
    }

    /// A step down that does not hold is tried again only after twice the time.
    @Test func comesDownSlowerEachTimeItFails() {
        var ladder = OverloadLadder(mayAddThreads: false)
        var time = feed(&ladder, from: 1_000, for: 400, lateness: .milliseconds(30))
        #expect(ladder.step == .noLoopFilter)
        var calmTimes: [Int64] = []
        for _ in 0..<4 {
            let start = time
            while ladder.step == .noLoopFilter {
                _ = ladder.pictureDecoded(lateness: .milliseconds(-100), load: 1_000, at: at(time))
                time += 40
            }
            calmTimes.append((time - start) / 1_000)
            time = feed(&ladder, from: time + 700, for: 400, lateness: .milliseconds(30))
        }
        #expect(calmTimes == [4, 8, 16, 32])
    }

    /// With a short D pictures are late that no step would make earlier.
    @Test func anIdleDecoderIsNotHurried() {
        var ladder = OverloadLadder(mayAddThreads: true)
        for index in 0..<500 as Range<Int64> {
            _ = ladder.pictureDecoded(lateness: .milliseconds(80), load: 300, at: at(1_000 + index * 40))
        }
        #expect(ladder.step == .everything)
    }

    /// After a seek old lateness is no measure; but what is left out is missed until the decoder begins anew.
    @Test func aSeekForgetsLateness() {
        var ladder = OverloadLadder(mayAddThreads: true)
        _ = ladder.pictureDecoded(lateness: .milliseconds(500), load: 1_000, at: at(1_000))
        ladder.playbackClockMoved()
        let behind = ladder.isWorthDecoding(lateness: .milliseconds(-100))
        ladder.decodingRestarted()
        #expect(!behind && !ladder.skipsToRandomAccess)
    }
}
