// SPDX-License-Identifier: Apache-2.0
import Time

extension WallClockMessage {
    /// The `precision` of a clock: the smallest power of two, in seconds, that is not below its resolution.
    /// - Parameter resolution: the clock's smallest step; less than 1 ns counts as 1 ns.
    /// - Returns: -29...34.
    public static func precision(of resolution: Nanoseconds) -> Int8 {
        var power: Int8 = -29
        while power < 34, span(of: power).down < resolution { power += 1 }
        return power
    }

    /// The server's precision as a span, rounded up; at most 292 years.
    public var precisionSpan: Nanoseconds { Self.span(of: precision).up }

    /// 2 to the power, in seconds, rounded down and up.
    private static func span(of power: Int8) -> (down: Nanoseconds, up: Nanoseconds) {
        guard power < 0 else {
            let span = power <= 33 ? Nanoseconds.seconds(1 << Int64(power)) : Nanoseconds(.max)
            return (span, span)
        }
        let second: Int64 = 1_000_000_000
        let divisor: Int64 = 1 << min(-Int64(power), 40)
        return (Nanoseconds(second / divisor), Nanoseconds((second + divisor - 1) / divisor))
    }

    /// The `maximumFrequencyError` of a clock, rounded up.
    /// - Parameter partsPerBillion: 0...16 777 215 996, clamped. 50 ppm are 50 000.
    public static func frequencyError(partsPerBillion: Int64) -> UInt32 {
        UInt32(clamping: (min(max(partsPerBillion, 0), 1 << 44) * 256 + 999) / 1_000)
    }

    /// The server's largest frequency error in parts per billion, rounded up.
    public var maximumFrequencyErrorPartsPerBillion: Int64 { (Int64(maximumFrequencyError) * 1_000 + 255) / 256 }
}
