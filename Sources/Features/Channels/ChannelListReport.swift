// SPDX-License-Identifier: Apache-2.0
import Hosting
import LineUp
import System
import Time
import Venue

/// Makes events of the changes of the line-up: one for each change, and one with the whole list for all changes within
/// a short time, such as those of the many announcements that a box receives when it starts.
final class ChannelListReport {
    /// Changes within this time are reported by one event with the whole list.
    private static let pause = Nanoseconds.milliseconds(100)

    private let context: FeatureContext
    private let lineUp: LineUpView
    private var documents: [Channel.ID: ChannelDocument] = [:]
    /// Changes that the next event with the whole list will report.
    private var untold: [LineUpChange] = []

    init(_ context: FeatureContext, _ lineUp: LineUpView) {
        self.context = context
        self.lineUp = lineUp
    }

    func document(of entry: ListedChannel) -> ChannelDocument {
        documents[entry.id] ?? ChannelDocument(ChannelRow(entry))
    }

    /// Reports the channels that the line-up has before any announcement is received.
    func begin() {
        let changes = lineUp.current.listed.map { LineUpChange.channelAdded($0) }
        for change in changes { tell(change) }
        tellList(of: changes)
    }

    func tell(_ change: LineUpChange) {
        switch change {
        case .channelAdded(let entry): context.emit(ChannelAdded(channel: renew(entry)))
        case .channelChanged(let entry, let was):
            let before = document(of: was)
            let after = renew(entry)
            context.emit(ChannelChanged(channel: after, changed: after.difference(from: before)))
        case .channelRemoved(let entry, let why):
            documents[entry.id] = nil
            context.emit(ChannelRemoved(channel: document(of: entry), why: why))
        case .streamerAdded(let streamer):
            context.emit(StreamerAdded(streamer: StreamerRow(streamer: streamer, now: nil)))
        case .streamerChanged(let streamer):
            context.emit(StreamerChanged(streamer: StreamerRow(streamer: streamer, now: nil)))
        case .streamerRemoved(let streamer):
            context.emit(StreamerRemoved(streamer: StreamerRow(streamer: streamer, now: nil)))
        }
    }

    /// Schedules one event with the full ordered list and what was added, changed and removed (SVM-31).
    func tellList(of changes: [LineUpChange]) {
        guard !changes.isEmpty else { return }
        if untold.isEmpty { _ = context.loop.after(Self.pause) { [weak self] in self?.emitLists() } }
        untold += changes
    }

    private func renew(_ entry: ListedChannel) -> ChannelDocument {
        let document = ChannelDocument(ChannelRow(entry))
        documents[entry.id] = document
        return document
    }

    private func emitLists() {
        let changes = untold
        untold = []
        let video = list(of: .video, changes)
        if !video.isEmpty { context.emit(VideoChannelsChanged(list: video)) }
        let data = list(of: .data, changes)
        if !data.isEmpty { context.emit(DataChannelsChanged(list: data)) }
        let file = list(of: .file, changes)
        if !file.isEmpty { context.emit(FileChannelsChanged(list: file)) }
    }

    private func list(of kind: Channel.Kind, _ changes: [LineUpChange]) -> ChannelListChange {
        var list = ChannelListChange()
        for change in changes {
            switch change {
            case .channelAdded(let entry) where entry.kind == kind: list.added.append(entry.id.text)
            case .channelChanged(let entry, _) where entry.kind == kind: list.changed.append(entry.id.text)
            case .channelRemoved(let entry, _) where entry.kind == kind: list.removed.append(entry.id.text)
            default: continue
            }
        }
        guard !list.isEmpty else { return list }
        list.channels = lineUp.current.listed.filter { $0.kind == kind }.map { document(of: $0) }
        return list
    }
}
