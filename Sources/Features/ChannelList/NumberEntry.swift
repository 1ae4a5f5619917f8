// SPDX-License-Identifier: Apache-2.0
import Time

/// The digits of a channel's number as they are typed on a remote control (G-25). Digits and the time go in; when to
/// tune comes out.
struct NumberEntry: Equatable, Sendable {
    enum Step: Equatable, Sendable {
        /// Nothing is typed.
        case idle
        /// More digits may come until then.
        case wait(until: Monotonic)
        case tune(Int)
    }

    /// Numbers of channels have at most 4 digits.
    static let mostDigits = 4

    private(set) var digits = ""
    private var end: Monotonic?

    var number: Int? { digits.isEmpty ? nil : Int(digits) }

    /// - Parameters:
    ///   - numbers: those of the channels, to which more digits may lead.
    ///   - patience: how long the next digit may take.
    mutating func typed(_ digit: Int, among numbers: some Sequence<Int>, patience: Nanoseconds, now: Monotonic) -> Step
    {
        precondition((0...9).contains(digit))
        if let end, now >= end { self = NumberEntry() }
        digits.append("\(digit)")
        end = now + patience
        let begun = number.map { String($0) } ?? ""
        // After a 0 alone, any number may still be typed.
        let canGoOn =
            begun == "0"
            || numbers.contains { number in
                let text = String(number)
                return text.utf8.count > begun.utf8.count && text.hasPrefix(begun)
            }
        return digits.utf8.count >= Self.mostDigits || !canGoOn ? ended() : step(at: now)
    }

    /// - Returns: `tune` once, when the time is over.
    mutating func step(at now: Monotonic) -> Step {
        guard let end else { return .idle }
        return now >= end ? ended() : .wait(until: end)
    }

    /// Takes the digits so far, as by the key OK.
    mutating func ended() -> Step {
        defer { self = NumberEntry() }
        return number.map { .tune($0) } ?? .idle
    }
}
