// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// Which windows there are: begun, passed, counted.
extension WindowRepairer {
    /// Of a window's SBN to that of the oldest; far away when there is none.
    func distance(to block: UInt32) -> Int {
        guard let base else { return .max }
        return BlockNumber.distance(from: base, to: block)
    }

    func place(_ distance: Int) -> Int { (head + distance) % held.count }

    /// Begins to listen: as many windows before this one as take turns may still send.
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

    /// Opens the windows up to this one; those before it of which nothing came are late, or lost. The oldest make room.
    /// - Returns: the place of the window.
    func reveal(_ block: UInt32, at now: Monotonic) -> Int {
        while distance(to: block) >= heardCount {
            if heardCount == held.count { step() }
            let index = place(heardCount)
            heardCount += 1
            // Until a window is heard from its beginning, none is known to have begun after we did.
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

    /// Forgets the oldest window.
    private func step() {
        guard let base else { return }
        end(head)
        self.base = BlockNumber.adding(1, to: base)
        head = (head + 1) % held.count
        heardCount -= 1
    }

    /// Counts a window with more packets than we support.
    func refuse(_ index: Int, sources: Int) {
        guard held[index].phase == .open || held[index].phase == .spoiled else { return }
        counters.refused += 1
        count(index, sources: sources)
    }

    /// Counts a window as it is.
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
            // Its beginning went by before we listened; what was lost after that is lost nevertheless.
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
