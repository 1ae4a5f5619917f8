// SPDX-License-Identifier: Apache-2.0
import Media
import Time

/// The histories that are in memory, and what all of them together may have (G-40). A channel that plays goes before one
/// that is only kept, and a short history before none.
/// - Thread: the control loop's only.
final class HistoryBudget {
    /// What a history gets.
    struct Grant: Equatable {
        /// How many of the kept channels have to give theirs, the oldest first.
        var shed: Int
        var octets: Int
    }

    /// Why a history gets nothing.
    struct Refusal: Error, Equatable, CustomStringConvertible {
        var channel: String
        var used: Int
        var limit: Int
        var least: Int

        var description: String {
            func megabytes(_ octets: Int) -> Int { (octets + 999_999) / 1_000_000 }
            return "histories have \(megabytes(used)) MB of playback.historiesLimitMB (\(megabytes(limit))): expected "
                + "\(megabytes(least)) MB to be left for channel '\(channel)'"
        }
    }

    private struct Entry {
        weak var history: HistoryBuffer?
        let octets: Int
        /// When its channel was left; nil if it is received.
        var left: Monotonic?
    }

    /// A history that was left is not counted for so long: it goes as soon as threads that use it have ended. One that
    /// they hold for longer, because a decoder hangs, is counted again.
    private static let patience = Nanoseconds.seconds(2)
    /// Histories may have one part in so many of what the process may use. The rest is for pictures, decoders, windows of
    /// repair and the program.
    private static let parts = 3
    /// What histories have on the smallest machine.
    private static let leastLimit = 16_000_000

    private(set) var limit: Int
    private var entries: [Entry] = []

    init(limit: Int) { self.limit = limit }

    /// - Parameter allowance: octets that the process may use; nil if that is not known.
    convenience init(setting: Int?, allowance: Int?) {
        self.init(limit: Self.limit(setting, allowance))
    }

    /// Follows the settings; histories that are there keep what they have.
    func follow(setting: Int?, allowance: Int?) { limit = Self.limit(setting, allowance) }

    private static func limit(_ setting: Int?, _ allowance: Int?) -> Int {
        setting ?? allowance.map { max($0 / parts, leastLimit) } ?? .max
    }

    func add(_ history: HistoryBuffer) {
        entries.removeAll { $0.history == nil }
        entries.append(Entry(history: history, octets: history.capacity, left: nil))
    }

    func leave(_ history: HistoryBuffer, at now: Monotonic) {
        for index in entries.indices where entries[index].history === history { entries[index].left = now }
    }

    func used(at now: Monotonic) -> Int {
        entries.reduce(0) { sum, entry in
            let isCounted = entry.history != nil && entry.left.map { now - $0 >= Self.patience } ?? true
            return isCounted ? sum + entry.octets : sum
        }
    }

    /// - Parameters:
    ///   - wanted: octets of a history that is as long as the settings say.
    ///   - least: octets of the shortest with which the channel can be played; at most `wanted`.
    ///   - kept: octets of the channels that are received though they are not played, the oldest first.
    /// - Throws: if less than `least` is left. A channel beside which no history is needed always gets that.
    func grant(
        _ wanted: Int, atLeast least: Int, of channel: String, kept: [Int], at now: Monotonic
    ) throws(Refusal) -> Grant {
        var (used, shed) = (used(at: now), 0)
        for octets in kept where limit - used < wanted {
            used -= octets
            shed += 1
        }
        let left = used == 0 ? max(limit, least) : limit - used
        guard left >= least else { throw Refusal(channel: channel, used: used, limit: limit, least: least) }
        return Grant(shed: shed, octets: min(wanted, left))
    }
}
