// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Playback

@Suite struct DamageTrailTests {
    /// Pictures that refer to a damaged one are not marked by the decoder.
    @Test func reachesToTheNextRandomAccessPoint() {
        var trail = DamageTrail()
        #expect(!trail.pictureDecoded(pts: 0, isDamaged: false))
        #expect(trail.pictureDecoded(pts: 1, isDamaged: true))
        #expect(trail.pictureDecoded(pts: 2, isDamaged: false))
        trail.randomAccessSent(pts: 5)
        #expect(trail.pictureDecoded(pts: 4, isDamaged: false))  // shown before it, refers to what was before
        #expect(!trail.pictureDecoded(pts: 5, isDamaged: false))
        #expect(!trail.pictureDecoded(pts: 6, isDamaged: false))
    }

    /// A unit that lost packets marks what comes after it, even where the decoder notices nothing.
    @Test func beginsWithADamagedUnit() {
        var trail = DamageTrail()
        trail.unitDamaged()
        #expect(trail.pictureDecoded(pts: 1, isDamaged: false))
    }

    /// Damage behind the random-access point, but ahead of its picture's presentation, is not made good by it.
    @Test func aLaterDamageOutlastsTheRandomAccessPoint() {
        var trail = DamageTrail()
        trail.unitDamaged()
        trail.randomAccessSent(pts: 5)
        trail.unitDamaged()
        #expect(trail.pictureDecoded(pts: 5, isDamaged: false))
    }
}
