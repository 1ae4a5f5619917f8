// SPDX-License-Identifier: Apache-2.0
import Time

/// How many vblanks each picture of a stream is shown for: a repeating pattern of `vblanks` vblanks for `pictures`
/// pictures, spread evenly.
public struct CadencePattern: Sendable, Hashable, CustomStringConvertible {
    /// Pictures in one turn of the pattern, 1...16.
    public let pictures: Int64
    /// Vblanks in one turn of the pattern, 1...16 000.
    public let vblanks: Int64

    /// The usual frame rates of streams. Rates of 1000/1001 differ from them by no more than a thousandth.
    private static let rates: [Int64] = [24, 25, 30, 48, 50, 60, 100, 120]
    /// The error up to which a short pattern is preferred. Single repeats make up for it, at most one in 400 vblanks.
    private static let enoughPPM: Int64 = 2_500

    /// Takes the shortest pattern with an error of at most 0.25 %, otherwise the one with the smallest error.
    /// - Parameter doubt: parts in a million by which `picture` may be wrong. Within this doubt it is replaced by the
    ///   length of a usual frame rate.
    public init(picture: Nanoseconds, vblank: Nanoseconds, doubt: Int64 = 0) {
        let vblank = max(1_000_000, min(1_000_000_000, vblank.count))
        let picture = Self.usual(max(1_000_000, min(10_000_000_000, picture.count)), doubt)
        var best: (pictures: Int64, vblanks: Int64, error: Int64) = (1, max(1, picture / vblank), .max)
        for pictures in 1...16 as ClosedRange<Int64> {
            let vblanks = max(1, (picture * pictures + vblank / 2) / vblank)
            let error = Self.error(vblanks, pictures, picture, vblank)
            if error < best.error { best = (pictures, vblanks, error) }
            if error <= Self.enoughPPM { break }
        }
        pictures = best.pictures
        vblanks = best.vblanks
    }

    private static func usual(_ picture: Int64, _ doubt: Int64) -> Int64 {
        var (nearest, least) = (picture, doubt + 1)
        for rate in rates {
            let exact = 1_000_000_000 / rate
            let error = abs(exact - picture) * 1_000_000 / exact
            if error < least { (nearest, least) = (exact, error) }
        }
        return nearest
    }

    /// The relative error of the pattern, in parts in a million.
    private static func error(_ vblanks: Int64, _ pictures: Int64, _ picture: Int64, _ vblank: Int64) -> Int64 {
        let exact = max(1, picture * pictures)
        return abs(vblanks * vblank - exact) * 1_000 / max(1, exact / 1_000)
    }

    /// Whether the pattern still suits pictures of this length. The limit is wider than in `init`, for hysteresis.
    public func fits(picture: Nanoseconds, vblank: Nanoseconds) -> Bool {
        let span = max(1_000_000, min(10_000_000_000, picture.count))
        return Self.error(vblanks, pictures, span, max(1_000_000, min(1_000_000_000, vblank.count))) <= Self.enoughPPM
            + Self.enoughPPM / 2
    }

    // MARK: Slots

    // A vblank's time is divided into `pictures` slots, and successive pictures are due `vblanks` slots apart. The
    // slots lie so that a vblank is in the middle of the slots that are shown at it.

    /// The position of a slot, in `VBlankClock.parts`.
    public func position(ofSlot slot: Int64) -> Int64 {
        (2 * slot + (pictures & 1 == 0 ? 1 : 0)) * (VBlankClock.parts / 2) / pictures
    }

    public func slot(nearest position: Int64) -> Int64 {
        // The arithmetic shift rounds down.
        (2 * pictures * position + (pictures & 1 == 0 ? 0 : VBlankClock.parts)) >> 17
    }

    /// The vblank at which a picture that is due at the slot is shown.
    public func vblank(ofSlot slot: Int64) -> Int64 {
        let shifted = slot + pictures / 2
        let whole = shifted / pictures
        return shifted % pictures < 0 ? whole - 1 : whole
    }

    /// `2:2` or `2:3`, the vblanks of each picture; for more than six pictures `25/12`, all vblanks and all pictures.
    public var description: String {
        if pictures == 1 { return "\(vblanks):\(vblanks)" }
        guard pictures <= 6 else { return "\(vblanks)/\(pictures)" }
        let places = (0...pictures).map { vblank(ofSlot: $0 * vblanks) }
        return zip(places, places.dropFirst()).map { "\($1 - $0)" }.joined(separator: ":")
    }
}
