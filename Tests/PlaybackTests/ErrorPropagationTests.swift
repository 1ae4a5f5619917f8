// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Playback

@Suite struct ErrorPropagationTests {
    /// Pictures that refer to a damaged one are not marked by the decoder.
    @Test func reachesToTheNextRandomAccessPoint() {
        var trail = ErrorPropagation()
        let shown1 = trail.pictureDecoded(pts: 0, isDamaged: false)
        #expect(!shown1)
        let shown2 = trail.pictureDecoded(pts: 1, isDamaged: true)
        #expect(shown2)
        let shown3 = trail.pictureDecoded(pts: 2, isDamaged: false)
        #expect(shown3)
        trail.unitSent(pts: 5, recovery: 0)
        let shown4 = trail.pictureDecoded(pts: 4, isDamaged: false)
        #expect(shown4)  // shown before it, refers to what was before
        let shown5 = trail.pictureDecoded(pts: 5, isDamaged: false)
        #expect(!shown5)
        let shown6 = trail.pictureDecoded(pts: 6, isDamaged: false)
        #expect(!shown6)
    }

    /// A stream of periodic intra refresh has recovery points, after which it is good again in so many pictures.
    @Test func endsSomeUnitsAfterARecoveryPoint() {
        var trail = ErrorPropagation()
        trail.unitDamaged()
        for pts in 1...10 as ClosedRange<Int64> { trail.unitSent(pts: pts, recovery: pts == 3 ? 4 : nil) }
        let damaged = (1...10 as ClosedRange<Int64>).filter { trail.pictureDecoded(pts: $0, isDamaged: false) }
        #expect(damaged == [1, 2, 3, 4, 5, 6])
        trail.unitDamaged()
        trail.unitSent(pts: 11, recovery: 2)
        trail.unitDamaged()
        for pts in 12...20 as ClosedRange<Int64> { trail.unitSent(pts: pts, recovery: nil) }
        let isDamaged = trail.pictureDecoded(pts: 20, isDamaged: false)
        #expect(isDamaged, "the refresh was damaged in its course")
    }

    /// A stream without any random-access point, of which the decoder marks each picture: it is shown after five seconds,
    /// and a point makes it good.
    @Test func isGivenUpWhereNothingEndsIt() {
        var trail = ErrorPropagation()
        trail.unitDamaged()
        let damaged = (0..<400 as Range<Int64>).filter { trail.pictureDecoded(pts: $0 * 3_600, isDamaged: true) }
        #expect(damaged == Array(0..<125))
        trail.unitSent(pts: 1_440_000, recovery: 0)
        let isGood = !trail.pictureDecoded(pts: 1_440_000, isDamaged: false)
        #expect(isGood && !trail.isDamaged)
        let isDamaged = trail.pictureDecoded(pts: 1_443_600, isDamaged: true)
        #expect(isDamaged, "that counts anew")
    }

    /// A unit that lost packets marks what comes after it, even where the decoder notices nothing.
    @Test func beginsWithADamagedUnit() {
        var trail = ErrorPropagation()
        trail.unitDamaged()
        let shown7 = trail.pictureDecoded(pts: 1, isDamaged: false)
        #expect(shown7)
    }

    /// Damage behind the random-access point, but ahead of its picture's presentation, is not made good by it.
    @Test func aLaterDamageOutlastsTheRandomAccessPoint() {
        var trail = ErrorPropagation()
        trail.unitDamaged()
        trail.unitSent(pts: 5, recovery: 0)
        trail.unitDamaged()
        let shown8 = trail.pictureDecoded(pts: 5, isDamaged: false)
        #expect(shown8)
    }
}
