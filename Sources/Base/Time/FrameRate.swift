// SPDX-License-Identifier: Apache-2.0

/// The frame rate of content or of a screen as an exact fraction: 60000/1001 is not 59.94.
public struct FrameRate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Pictures in `seconds` seconds; the two have no common divisor.
    public let pictures: Int64
    public let seconds: Int64

    private static let largestPictures: Int64 = 9_000_000_000_000
    private static let largestSeconds: Int64 = 1 << 40

    /// - Parameter pictures: 1...9 × 10¹².
    /// - Parameter seconds: 1...2⁴⁰.
    public init(_ pictures: Int64, per seconds: Int64 = 1) {
        precondition((1...Self.largestPictures).contains(pictures) && (1...Self.largestSeconds).contains(seconds))
        let divisor = Self.commonDivisor(pictures, seconds)
        self.pictures = pictures / divisor
        self.seconds = seconds / divisor
    }

    /// 23.976 Hz: film at NTSC's rate.
    public static let ntscFilm = FrameRate(24_000, per: 1_001)
    /// 29.97 Hz.
    public static let ntscFrames = FrameRate(30_000, per: 1_001)
    /// 59.94 Hz.
    public static let ntscFields = FrameRate(60_000, per: 1_001)

    /// Whether the rates differ by at most 0.01 Hz. Pixel clocks in steps of 1 kHz cause less; 59.94 and 60 differ by
    /// more.
    public func isAlmost(_ other: FrameRate) -> Bool { (microHertz - other.microHertz).magnitude <= 10_000 }

    /// How many refreshes of a screen show one picture: 1 for equal rates, 2 for 25 on 50. Nil if no whole number fits.
    /// - Parameter screen: the screen's rate.
    public func repeats(on screen: FrameRate) -> Int? {
        let (own, other) = (max(1, min(microHertz, 1 << 60)), min(screen.microHertz, 1 << 60))
        let times = (other + own / 2) / own
        guard (1...240).contains(times), (times * own - other).magnitude <= 10_000 else { return nil }
        return Int(times)
    }

    /// The rate in µHz, rounded towards zero.
    public var microHertz: Int64 { pictures * 1_000_000 / seconds }

    /// The rate in mHz, rounded to the nearest.
    public var milliHertz: Int { Int((microHertz + 500) / 1_000) }

    /// Time from a picture to the next, rounded towards zero.
    public var period: Nanoseconds {
        let (high, low) = UInt64(seconds).multipliedFullWidth(by: 1_000_000_000)
        // A period above 292 years does not fit: it is clamped.
        guard high < UInt64(pictures) else { return Nanoseconds(.max) }
        return Nanoseconds(Int64(clamping: UInt64(pictures).dividingFullWidth((high, low)).quotient))
    }

    public static func < (left: FrameRate, right: FrameRate) -> Bool {
        let one = UInt64(left.pictures).multipliedFullWidth(by: UInt64(right.seconds))
        let other = UInt64(right.pictures).multipliedFullWidth(by: UInt64(left.seconds))
        return (one.high, one.low) < (other.high, other.low)
    }

    private static func commonDivisor(_ left: Int64, _ right: Int64) -> Int64 {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }
}

// MARK: Text

extension FrameRate {
    /// Parses a rate as people write it: "50", "59.94", "23.976"; 1...240, with at most three digits before and after
    /// the point. A text that equals an NTSC rate but for rounding means the NTSC rate. Nil for any other text.
    public init?(_ text: some StringProtocol) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, (1...3).contains(first.count), first.first != UInt8(ascii: "0"),
            parts.count == 1 || (1...3).contains(parts[1].count)
        else { return nil }
        let digits = parts.count == 1 ? [] : Array(parts[1])
        var thousandths: Int64 = 0
        for digit in first + (digits + repeatElement(UInt8(ascii: "0"), count: 3 - digits.count)) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            thousandths = thousandths * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        guard (1_000...240_000).contains(thousandths) else { return nil }
        let ntsc = Self.ntscRates.first { rate in
            // The text may be rounded to thousandths or to hundredths.
            let exact = Int64(rate.milliHertz)
            return thousandths == exact || thousandths == (exact + 5) / 10 * 10
        }
        if let ntsc { self = ntsc } else { self = FrameRate(thousandths, per: 1_000) }
    }

    private static let ntscRates = [24, 30, 48, 60, 120, 240].map { FrameRate($0 * 1_000, per: 1_001) }

    /// The rate in Hz with at most three digits after the point.
    public var description: String {
        let (whole, rest) = milliHertz.quotientAndRemainder(dividingBy: 1_000)
        guard rest > 0 else { return "\(whole)" }
        var digits = String(String(1_000 + rest).dropFirst())
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole).\(digits)"
    }
}
