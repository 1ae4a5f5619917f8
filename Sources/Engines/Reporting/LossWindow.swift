// SPDX-License-Identifier: Apache-2.0
import Time

/// What was lost of a session in the last while, by looks at its totals.
struct LossWindow {
    private struct Look {
        let time: Monotonic
        let reception: SessionReception
    }

    private let span: Nanoseconds
    /// Oldest first; the first is the only one that may be older than the window.
    private var looks: [Look] = []
    /// No packet came since it began: what the first one shows to be missing was lost before.
    private var isFresh = true

    init(_ span: Nanoseconds) { self.span = span }

    mutating func observe(_ reception: SessionReception, at now: Monotonic) {
        if let last = looks.last?.reception, reception.received < last.received || reception.lost < last.lost {
            looks = []  // it is received anew
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

    /// Forgets what was, as if the session began now.
    mutating func restart() {
        looks = looks.suffix(1)
        isFresh = true
    }

    /// In 10^6 of what should have come; nil when nothing can be said yet. A whole window without a packet is lost.
    var lossPPM: Int64? {
        guard let first = looks.first, let last = looks.last else { return nil }
        let received = last.reception.received - first.reception.received
        guard received > 0 else { return last.time - first.time >= span ? 1_000_000 : nil }
        let lost = last.reception.lost - first.reception.lost
        return Int64(Double(lost) * 1_000_000 / Double(received + lost))
    }
}
