// SPDX-License-Identifier: Apache-2.0
import Time

/// What a decoder that cannot keep up leaves out, step by step. A value: lateness of pictures in, a step out.
///
/// Pictures that come out of a busy decoder after they were due push it up a step (those of an idle one are late because
/// D is short or the network was); a calm time with slack brings it down
/// again, and a step that had to be taken back at once makes the next calm time twice as long. Latency never grows: what
/// is late is not shown, and far behind nothing is decoded until the next random-access point.
struct OverloadLadder: Sendable {
    enum Step: Int, Sendable, Comparable, CaseIterable {
        case everything, anotherThread, noLoopFilter, noNonReference, randomAccessOnly
        static func < (left: Step, right: Step) -> Bool { left.rawValue < right.rawValue }
    }

    /// Late for so long without a break: one step up.
    private static let patience = Nanoseconds.milliseconds(200)
    /// Between two steps up: the last one must have had its effect.
    private static let settling = Nanoseconds.milliseconds(600)
    private static let shortestCalm = Nanoseconds.seconds(4)
    private static let longestCalm = Nanoseconds.seconds(64)
    /// So late that it is not shown, and the rest of the group is given up.
    private static let hopeless = Nanoseconds.milliseconds(300)
    /// Of the time that there is for a picture, per mille, that a busy decoder takes.
    private static let busy: Int64 = 750
    /// A picture this early leaves room for the step below.
    private static let slack = Nanoseconds.milliseconds(40)

    private(set) var step = Step.everything
    /// Nothing is decoded until the next random-access point.
    private(set) var skipsToRandomAccess = false
    private var isBusy = false
    private let steps: [Step]
    private var lateSince: Monotonic?
    private var calmSince: Monotonic?
    private var changed = Monotonic(nanoseconds: 0)
    private var steppedDown: Monotonic?
    private var calm = shortestCalm

    /// - Parameter mayAddThreads: another core could help.
    init(mayAddThreads: Bool) { steps = Step.allCases.filter { mayAddThreads || $0 != .anotherThread } }

    /// A picture came out of the decoder.
    /// - Parameters:
    ///   - lateness: now minus due; negative: early.
    ///   - load: decoding time of recent pictures in their time, per mille.
    /// - Returns: whether `step` is another one now.
    mutating func pictureDecoded(lateness: Nanoseconds, load: Int64, at now: Monotonic) -> Bool {
        isBusy = load >= Self.busy
        if lateness > .zero, isBusy {
            calmSince = nil
            let since = lateSince ?? now
            lateSince = since
            if lateness > Self.hopeless { skipsToRandomAccess = true }
            let isDue = now - since >= Self.patience || lateness > Self.hopeless
            guard isDue, now - changed >= Self.settling, let up = neighbour(1) else { return false }
            if let down = steppedDown, now - down < calm { calm = min(calm * 2, Self.longestCalm) }
            return change(to: up, at: now)
        }
        lateSince = nil
        guard lateness < -Self.slack, step != .everything else {
            calmSince = nil
            return false
        }
        let since = calmSince ?? now
        calmSince = since
        guard now - since >= calm, let down = neighbour(-1) else { return false }
        steppedDown = now
        return change(to: down, at: now)
    }

    /// Whether a picture that was decoded is to be left out.
    func isTooLate(_ lateness: Nanoseconds) -> Bool { isBusy && lateness > Self.hopeless }

    /// Whether a unit is to be decoded that is no random-access point. One whose picture would be left out is not, and
    /// nothing behind it.
    mutating func isWorthDecoding(lateness: Nanoseconds) -> Bool {
        if isTooLate(lateness) { skipsToRandomAccess = true }
        return !skipsToRandomAccess
    }

    /// A random-access point comes. Decoding goes on with it, unless it is late itself and another one waits already.
    mutating func beginsAtRandomAccess(lateness: Nanoseconds, isNewest: Bool) -> Bool {
        if skipsToRandomAccess || isTooLate(lateness) {
            skipsToRandomAccess = lateness > .zero && !isNewest
        }
        return !skipsToRandomAccess
    }

    /// The play-head was moved: what was late is no measure any more. What the units that come refer to is left out all
    /// the same.
    mutating func playHeadMoved() {
        lateSince = nil
        calmSince = nil
    }

    /// The decoder has forgotten everything, and the next unit that it is given is a random-access point.
    mutating func decodingRestarted() {
        playHeadMoved()
        skipsToRandomAccess = false
    }

    private mutating func change(to new: Step, at now: Monotonic) -> Bool {
        step = new
        changed = now
        lateSince = nil
        calmSince = nil
        return true
    }

    private func neighbour(_ distance: Int) -> Step? {
        guard let index = steps.firstIndex(of: step), steps.indices.contains(index + distance) else { return nil }
        return steps[index + distance]
    }
}
