// SPDX-License-Identifier: Apache-2.0
import Time

/// Loss of a session in the latest span of time, computed from samples of its totals.
struct LossWindow {
    private struct Look {
        let time: Monotonic
        let reception: SessionReception
    }

    private let span: Nanoseconds
    /// Samples, oldest first; only the first may be older than the window.
    private var looks: [Look] = []
    /// No packet has come since the window began. What the first packet shows to be missing was lost before it.
    private var isFresh = true

    init(_ span: Nanoseconds) { self.span = span }

    mutating func observe(_ reception: SessionReception, at now: Monotonic) {
        if let last = looks.last?.reception, reception.received < last.received || reception.lost < last.lost {
            looks = []  // the session was joined again
            isFresh = true
        }
        let hasCome = looks.last.map { reception.received > $0.reception.received } ?? (reception.received > 0)
        if isFresh, hasCome {
            looks = []
            isFresh = false
        }
        looks.append(Look(time: now, reception: reception))
        while looks.count > 2, now - looks[1].time >= span { looks.removeFirst() }
    }

    /// Forgets the past, as if the session began now.
    mutating func restart() {
        looks = looks.suffix(1)
        isFresh = true
    }

    /// Packets lost per million of those that should have come; nil before anything can be said. A whole window without
    /// a packet counts as complete loss.
    var lossPPM: Int64? {
        guard let first = looks.first, let last = looks.last else { return nil }
        let received = last.reception.received - first.reception.received
        guard received > 0 else { return last.time - first.time >= span ? 1_000_000 : nil }
        let lost = last.reception.lost - first.reception.lost
        return Int64(Double(lost) * 1_000_000 / Double(received + lost))
    }
}
