// SPDX-License-Identifier: Apache-2.0

/// Whether pictures may show damage. libavcodec marks those in which it met errors, not those that only refer to them:
/// damage is carried on to the next random-access point. A value.
struct DamageTrail: Sendable {
    private(set) var isDamaged = false
    /// Presentation time from which a random-access point makes good.
    private var goodFrom: Int64?

    /// Units are missing, or one is incomplete.
    mutating func unitDamaged() {
        isDamaged = true
        goodFrom = nil
    }

    mutating func randomAccessSent(pts: Int64) { if isDamaged { goodFrom = pts } }

    /// - Returns: whether the picture shows damage, its own or another's.
    mutating func pictureDecoded(pts: Int64, isDamaged: Bool) -> Bool {
        if let good = goodFrom, pts >= good {
            self.isDamaged = false
            goodFrom = nil
        }
        if isDamaged { unitDamaged() }
        return self.isDamaged
    }

    mutating func reset() { self = DamageTrail() }
}
