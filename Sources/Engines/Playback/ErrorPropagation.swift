// SPDX-License-Identifier: Apache-2.0

/// Tracks the propagation of errors through pictures. libavcodec marks pictures in which it met errors, but not those
/// that only refer to them, so that damage is assumed up to the next random-access point.
struct ErrorPropagation: Sendable {
    private(set) var isDamaged = false
    /// Presentation time of the random-access point that ends the damage; nil while none has been sent.
    private var goodFrom: Int64?
    /// Number of units up to the one that ends the damage, after a recovery point; nil while none has been sent.
    private var unitsLeft: Int?
    /// Presentation time of the first of the pictures in a row that may show damage; nil while none does.
    private var damagedFrom: Int64?

    /// Ticks of 90 kHz after which pictures are no longer taken as damaged although nothing has ended the damage. A stream
    /// without random-access points would else never be good again.
    private static let patience: Int64 = 450_000

    /// Units are missing, or one is incomplete.
    mutating func unitDamaged() {
        isDamaged = true
        goodFrom = nil
        unitsLeft = nil
    }

    /// A complete unit is sent to the decoder.
    /// - Parameter recovery: see `AccessUnit.recovery`.
    mutating func unitSent(pts: Int64, recovery: Int?) {
        guard isDamaged, goodFrom == nil else { return }
        if let left = unitsLeft { unitsLeft = left - 1 }
        if let recovery, recovery < unitsLeft ?? .max { unitsLeft = recovery }
        if unitsLeft == 0 { goodFrom = pts }
    }

    /// - Returns: whether the picture may show damage, of its own or of a picture that it refers to.
    mutating func pictureDecoded(pts: Int64, isDamaged: Bool) -> Bool {
        if let good = goodFrom, pts >= good {
            self.isDamaged = false
            goodFrom = nil
            unitsLeft = nil
        }
        if isDamaged { unitDamaged() }
        guard self.isDamaged else {
            damagedFrom = nil
            return false
        }
        let from = damagedFrom.map { min($0, pts) } ?? pts
        damagedFrom = from
        return pts - from < Self.patience
    }

    mutating func reset() { self = ErrorPropagation() }
}
