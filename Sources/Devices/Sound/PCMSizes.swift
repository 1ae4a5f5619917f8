// SPDX-License-Identifier: Apache-2.0
import Time

/// How far ahead of the device samples are written. Some drivers move their pointer in steps larger than the period
/// that they report, and then the usual buffer underruns repeatedly.
struct PCMSizes: Equatable {
    /// Which of the two sizes the driver is asked for first. A driver may accept both sizes only in one order.
    enum Order: CaseIterable { case periodFirst, bufferFirst }

    let period: Nanoseconds
    let buffer: Nanoseconds

    static let usual = PCMSizes(period: .milliseconds(10), buffer: .milliseconds(50))
    /// A larger buffer would need samples sooner than they can be decoded.
    private static let deepest = Nanoseconds.milliseconds(200)
    /// How late the audio thread may be without an audible gap.
    private static let shortest = Nanoseconds.milliseconds(20)
    private static let mostFrames = 1 << 20

    /// Sizes twice as large; nil at the limit, when underruns must have another cause.
    var deeper: PCMSizes? {
        guard buffer * 2 <= Self.deepest else { return nil }
        return PCMSizes(period: min(period * 2, .milliseconds(20)), buffer: buffer * 2)
    }

    func period(at rate: Int) -> Int { Int(TickRate(Int64(rate)).ticks(period)) }
    func buffer(at rate: Int) -> Int { Int(TickRate(Int64(rate)).ticks(buffer)) }

    /// - Returns: what is wrong with the sizes that the driver chose; nil if they are usable.
    static func problem(period: Int, buffer: Int, rate: Int) -> String? {
        guard period > 0, buffer <= mostFrames, period * 2 <= buffer,
            TickRate(Int64(rate)).nanoseconds(Int64(buffer)) >= shortest
        else { return "buffer of \(buffer) frames, period of \(period)" }
        return nil
    }
}
