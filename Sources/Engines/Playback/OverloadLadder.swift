// SPDX-License-Identifier: Apache-2.0
import Time

/// Decides what an overloaded decoder leaves out, in steps. Its input is the lateness of pictures, its output a step.
///
/// Pictures that leave a busy decoder after they were due move it up a step; pictures of an idle decoder are late
/// because of a short play-out delay or the network, and do not count. A calm time with slack moves it down again. If a
/// step down has to be taken back soon, the next calm time must be twice as long. Latency never grows: late pictures
/// are not shown, and far behind nothing is decoded until the next random-access point.
struct OverloadLadder: Sendable {
    enum Step: Int, Sendable, Comparable, CaseIterable {
        case everything, anotherThread, noLoopFilter, noNonReference, randomAccessOnly
        static func < (left: Step, right: Step) -> Bool { left.rawValue < right.rawValue }
    }

    /// Pictures must be late for this long without a break before a step up.
    private static let patience = Nanoseconds.milliseconds(200)
    /// The least time from a change of the step to a step up, in which the change takes effect.
    private static let settling = Nanoseconds.milliseconds(600)
    private static let shortestCalm = Nanoseconds.seconds(4)
    private static let longestCalm = Nanoseconds.seconds(64)
    /// A picture this late is not shown, and the rest of its group is not decoded.
    private static let hopeless = Nanoseconds.milliseconds(300)
    /// Decoding time per mille of a picture's time from which a decoder counts as busy.
    private static let busy: Int64 = 750
    /// A picture that is earlier than this leaves room for the step below.
    private static let slack = Nanoseconds.milliseconds(40)
    /// How long a random-access point is waited for. Most streams have one each second or two; those of intra refresh have
    /// one at their beginning, or none.
    private static let longestWithoutPoint = Nanoseconds.seconds(8)

    private(set) var step = Step.everything
    /// Whether nothing is decoded until the next random-access point.
    private(set) var skipsToRandomAccess = false
    private var isBusy = false
    private let steps: [Step]
    private var lateSince: Monotonic?
    private var calmSince: Monotonic?
    private var changed = Monotonic(nanoseconds: 0)
    private var steppedDown: Monotonic?
    /// Since when units are left out without a random-access point between them; nil while none is left out.
    private var leftOutSince: Monotonic?
    private var calm = shortestCalm

    /// - Parameter mayAddThreads: whether the machine has another core for decoding.
    init(mayAddThreads: Bool) { steps = Step.allCases.filter { mayAddThreads || $0 != .anotherThread } }

    /// A picture came out of the decoder.
    /// - Parameters:
    ///   - lateness: now minus the due instant; negative if the picture is early.
    ///   - load: decoding time of recent pictures, per mille of their time.
    /// - Returns: whether `step` has changed.
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

    /// Whether a decoded picture is too late to be shown.
    func isTooLate(_ lateness: Nanoseconds) -> Bool { isBusy && lateness > Self.hopeless }

    /// Whether a unit that is no random-access point is decoded. A unit whose picture would come too late is not, nor
    /// are the units behind it.
    mutating func isWorthDecoding(lateness: Nanoseconds) -> Bool {
        if isTooLate(lateness) { skipsToRandomAccess = true }
        return !skipsToRandomAccess
    }

    /// Whether a random-access point is decoded. Decoding resumes with it, unless it is late and a newer one waits.
    mutating func beginsAtRandomAccess(lateness: Nanoseconds, isNewest: Bool) -> Bool {
        if skipsToRandomAccess || isTooLate(lateness) {
            skipsToRandomAccess = lateness > .zero && !isNewest
        }
        return !skipsToRandomAccess
    }

    /// A unit comes that is no random-access point, while units are left out up to one.
    /// - Parameter isRecovery: whether it is a recovery point that is in time, which is as good.
    /// - Returns: whether to begin anew instead, as at the beginning of a stream. The step may have changed, because the
    ///   last one has no way out where no random-access point comes.
    mutating func unitLeftOut(isRecovery: Bool, at now: Monotonic) -> Bool {
        let since = leftOutSince ?? now
        leftOutSince = since
        guard isRecovery || now - since >= Self.longestWithoutPoint else { return false }
        leftOutSince = nil
        if step == .randomAccessOnly, let down = neighbour(-1) { _ = change(to: down, at: now) }
        return true
    }

    /// A random-access point comes, or nothing is left out.
    mutating func pointCame() { leftOutSince = nil }

    /// The playback clock was moved, so that earlier lateness does not count. A group that is being left out stays left
    /// out, because its references are missing.
    mutating func playbackClockMoved() {
        lateSince = nil
        calmSince = nil
    }

    /// The decoder was flushed, and the next unit that it is given is a random-access point.
    mutating func decodingRestarted() {
        playbackClockMoved()
        skipsToRandomAccess = false
        leftOutSince = nil
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
