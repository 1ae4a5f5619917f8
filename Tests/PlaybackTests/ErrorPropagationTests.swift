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
        trail.randomAccessSent(pts: 5)
        let shown4 = trail.pictureDecoded(pts: 4, isDamaged: false)
        #expect(shown4)  // shown before it, refers to what was before
        let shown5 = trail.pictureDecoded(pts: 5, isDamaged: false)
        #expect(!shown5)
        let shown6 = trail.pictureDecoded(pts: 6, isDamaged: false)
        #expect(!shown6)
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
        trail.randomAccessSent(pts: 5)
        trail.unitDamaged()
        let shown8 = trail.pictureDecoded(pts: 5, isDamaged: false)
        #expect(shown8)
    }
}
