// SPDX-License-Identifier: Apache-2.0
import Time

/// How far ahead of the device sound is written. Drivers say what they like: their pointer may move in larger steps than
/// their period, and then the usual buffer runs dry time and again.
struct PCMSizes: Equatable {
    /// Which of the two the driver is asked for first; it may have but one way to have both.
    enum Order: CaseIterable { case periodFirst, bufferFirst }

    let period: Nanoseconds
    let buffer: Nanoseconds

    static let usual = PCMSizes(period: .milliseconds(10), buffer: .milliseconds(50))
    /// Beyond it sound could not be decoded early enough.
    private static let deepest = Nanoseconds.milliseconds(200)
    /// What a thread that plays may come late by without being heard.
    private static let shortest = Nanoseconds.milliseconds(20)
    private static let mostFrames = 1 << 20

    /// Twice as deep; nil: it is deep enough, what runs dry does so for another reason.
    var deeper: PCMSizes? {
        guard buffer * 2 <= Self.deepest else { return nil }
        return PCMSizes(period: min(period * 2, .milliseconds(20)), buffer: buffer * 2)
    }

    func period(at rate: Int) -> Int { Int(TickRate(Int64(rate)).ticks(period)) }
    func buffer(at rate: Int) -> Int { Int(TickRate(Int64(rate)).ticks(buffer)) }

    /// What is wrong with what the driver made of it; nil: nothing.
    static func problem(period: Int, buffer: Int, rate: Int) -> String? {
        guard period > 0, buffer <= mostFrames, period * 2 <= buffer,
            TickRate(Int64(rate)).nanoseconds(Int64(buffer)) >= shortest
        else { return "buffer of \(buffer) frames, period of \(period)" }
        return nil
    }
}
