// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// The beginning, the end and the counting of windows.
extension WindowRepairer {
    /// Distance from the oldest window's SBN to this one; `.max` if there is no window.
    func distance(to block: UInt32) -> Int {
        guard let base else { return .max }
        return BlockNumber.distance(from: base, to: block)
    }

    func place(_ distance: Int) -> Int { (head + distance) % held.count }

    /// Begins reception. As many windows before this one as take turns may still be sent.
    func start(at block: UInt32, _ now: Monotonic) {
        base = BlockNumber.adding(-windows.depth, to: block)
        head = 0
        heardCount = 0
        hasJoined = false
        lateRun = 0
        for distance in 0..<windows.depth {
            held[place(distance)] = HeardWindow()
            held[place(distance)].first = now
        }
        heardCount = windows.depth
        earliestEnd = now + windows.span
    }

    /// Opens the windows up to this one. Windows before it of which nothing arrived are late or lost. The oldest
    /// windows make room.
    /// - Returns: the index of the window in `held`.
    func reveal(_ block: UInt32, at now: Monotonic) -> Int {
        while distance(to: block) >= heardCount {
            if heardCount == held.count { step() }
            let index = place(heardCount)
            heardCount += 1
            // Until a window has been received from its beginning, none is known to have begun after reception.
            open(index, at: now, joinedAt: hasJoined ? 0 : HeardWindow.unknown)
        }
        let index = place(distance(to: block))
        if held[index].phase == .unheard { open(index, at: now, joinedAt: HeardWindow.unknown) }
        return index
    }

    private func open(_ index: Int, at now: Monotonic, joinedAt: Int) {
        held[index] = HeardWindow()
        held[index].phase = .open
        held[index].joinedAt = joinedAt
        held[index].first = now
        openCount += 1
        let end = now + windows.span
        earliestEnd = earliestEnd.map { min($0, end) } ?? end
    }

    /// Ends windows whose time is over.
    func endOverdue(at now: Monotonic) {
        guard let earliest = earliestEnd, now >= earliest else { return }
        earliestEnd = nil
        for distance in 0..<heardCount {
            let index = place(distance)
            guard held[index].phase != .done else { continue }
            let over = held[index].first + windows.span
            if now >= over {
                end(index)
            } else {
                earliestEnd = earliestEnd.map { min($0, over) } ?? over
            }
        }
    }

    /// Ends and forgets the oldest window.
    private func step() {
        guard let base else { return }
        end(head)
        self.base = BlockNumber.adding(1, to: base)
        head = (head + 1) % held.count
        heardCount -= 1
    }

    /// Counts a window with more packets than are supported.
    func refuse(_ index: Int, sources: Int) {
        guard held[index].phase == .open || held[index].phase == .spoiled else { return }
        counters.refused += 1
        count(index, sources: sources)
    }

    /// Ends a window and counts it in its present state.
    func end(_ index: Int) {
        let window = held[index]
        guard window.phase != .done, window.phase != .unheard else {
            held[index].phase = .done
            return
        }
        let sources = window.sources == 0 ? windows.sourcePackets : window.sources
        let missing = sources - window.receivedCount
        let isRepaired = window.phase == .recovered || missing == 0
        guard isRepaired || window.joinedAt == 0 else {
            // It began before reception began. Packets lost after that count nevertheless.
            let heard = (window.joinedAt..<max(sources, window.joinedAt)).count { window.received.contains($0) }
            counters.unrecoveredPackets += Int64(max(0, sources - window.joinedAt - heard))
            if window.phase == .open { openCount -= 1 }
            held[index].phase = .done
            return
        }
        if missing == 0 {
            counters.withoutLoss += 1
        } else if isRepaired {
            counters.repaired += 1
            counters.recoveredPackets += Int64(missing)
        } else {
            counters.failed += 1
            counters.unrecoveredPackets += Int64(missing)
        }
        count(index, sources: sources)
    }

    private func count(_ index: Int, sources: Int) {
        counters.windows += 1
        if sources + windows.repairPackets > RepairWindows.advisedPackets { counters.oversized += 1 }
        if held[index].phase == .open { openCount -= 1 }
        held[index].phase = .done
    }
}
