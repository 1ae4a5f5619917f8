// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// The present and following events of each channel whose stream was received. While the stream is received, its own
/// word holds, whatever the box's clock says; afterwards its last word holds until the event is over by that clock.
public struct NowNextTable: Sendable {
    private struct Entry {
        var nowNext: NowNext
        var isHeard: Bool
    }

    private var entries: [Channel.ID: Entry] = [:]

    public init() {}

    /// nil when nothing is known.
    public subscript(id: Channel.ID) -> NowNext? { entries[id]?.nowNext }

    /// - Returns: whether this changed what was known.
    public mutating func heard(_ nowNext: NowNext, on id: Channel.ID) -> Bool {
        let before = self[id]
        let now = nowNext.isEmpty ? nil : nowNext
        entries[id] = now.map { Entry(nowNext: $0, isHeard: true) }
        return before != now
    }

    /// To be called when the stream is no longer received.
    public mutating func left(_ id: Channel.ID) { entries[id]?.isHeard = false }

    /// To be called when the channel is removed from the line-up.
    public mutating func remove(_ id: Channel.ID) { entries[id] = nil }

    /// - Returns: channels whose events changed, by id. An event without an end is dropped once its stream is not
    ///   received.
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
