// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// What is on, of each channel whose stream was heard. While a stream is heard, what it says holds, whatever the clock
/// of the box; after that its last word, until it is over by that clock.
public struct NowNextTable: Sendable {
    private struct Entry {
        var nowNext: NowNext
        var isHeard: Bool
    }

    private var entries: [Channel.ID: Entry] = [:]

    public init() {}

    /// Nil when nothing is known.
    public subscript(id: Channel.ID) -> NowNext? { entries[id]?.nowNext }

    /// - Returns: whether that is news.
    public mutating func heard(_ nowNext: NowNext, on id: Channel.ID) -> Bool {
        let before = self[id]
        let now = nowNext.isEmpty ? nil : nowNext
        entries[id] = now.map { Entry(nowNext: $0, isHeard: true) }
        return before != now
    }

    /// The stream is not heard any more.
    public mutating func left(_ id: Channel.ID) { entries[id]?.isHeard = false }

    /// The channel is in the line-up no more.
    public mutating func remove(_ id: Channel.ID) { entries[id] = nil }

    /// - Returns: the channels of which something else is on now. What says no end ends with being heard.
    public mutating func tick(at now: WallTime) -> [Channel.ID] {
        var changed: [Channel.ID] = []
        for (id, entry) in entries where !entry.isHeard {
            let later = entry.nowNext.later(at: now)
            guard later != entry.nowNext else { continue }
            entries[id] = later.isEmpty ? nil : Entry(nowNext: later, isHeard: false)
            changed.append(id)
        }
        return changed.sorted { $0.text < $1.text }
    }
}

extension NowNext {
    fileprivate func later(at instant: WallTime) -> NowNext {
        func isOver(_ broadcast: Broadcast) -> Bool { broadcast.end.map { $0 <= instant } ?? true }
        var later = self
        if let now, isOver(now) { later.now = nil }
        guard let next else { return later }
        if isOver(next) {
            later.next = nil
        } else if let start = next.start, start <= instant {
            later = NowNext(now: next)
        }
        return later
    }
}
