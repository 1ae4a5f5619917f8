// SPDX-License-Identifier: Apache-2.0
import Hosting
import LineUp
import System
import Time
import Venue

/// Tells the other parts of the box of the changes of the line-up, and makes events of them: one for each change, and one
/// with the whole list for all changes within a pause. The first change is told at once. What announcements change during
/// the pause that follows is told at its end, so that work on the whole list is done once in a pause, however many
/// announcements come.
final class ChannelListReport {
    private static let pause = Nanoseconds.milliseconds(100)
    /// As many changes are told even in a pause, so that no turn of the control loop has to tell more.
    static let mostUntold = 64

    private let context: FeatureContext
    private let lineUp: LineUpView
    private var documents: [Channel.ID: ChannelDocument] = [:]
    /// Changes that nobody was told of yet, and the channels that they concern.
    private var untold: [LineUpChange] = []
    private var untoldChannels: Set<Channel.ID> = []
    /// Changes of channels that were told, and that the next event with the whole list will report.
    private var unlisted: [LineUpChange] = []
    private var isPausing = false

    init(_ context: FeatureContext, _ lineUp: LineUpView) {
        self.context = context
        self.lineUp = lineUp
    }

    func document(of entry: ListedChannel) -> ChannelDocument {
        let known = untoldChannels.contains(entry.id) ? nil : documents[entry.id]
        return known ?? ChannelDocument(ChannelRow(entry))
    }

    /// Reports the channels that the line-up has before any announcement is received.
    func begin() {
        let changes = lineUp.current.listed.map { LineUpChange.channelAdded($0) }
        for change in changes { tell(change) }
        unlisted += changes
        beginPause()
    }

    /// Takes changes that the line-up has already. They are told by the next `flush`.
    func gather(_ changes: [LineUpChange]) {
        untold += changes
        for change in changes {
            if let id = change.channel { untoldChannels.insert(id) }
        }
    }

    /// Tells what was gathered if no pause runs, or if it is much.
    func flushIfDue() { if !isPausing || untold.count >= Self.mostUntold { flush() } }

    /// Tells what was gathered.
    func flush() {
        guard !untold.isEmpty else { return }
        let changes = untold
        (untold, untoldChannels) = ([], [])
        for change in changes { tell(change) }
        lineUp.tell(changes)
        unlisted += changes.filter { $0.channel != nil }
        beginPause()
    }

    private func beginPause() {
        guard !isPausing else { return }
        isPausing = true
        _ = context.loop.after(Self.pause) { [weak self] in
            guard let self else { return }
            isPausing = false
            flush()
            emitLists()
        }
    }

    func tell(_ change: LineUpChange) {
        switch change {
        case .channelAdded(let entry): context.emit(ChannelAdded(channel: renew(entry)))
        case .channelChanged(let entry, let was):
            let before = documents[was.id] ?? ChannelDocument(ChannelRow(was))
            let after = renew(entry)
            context.emit(ChannelChanged(channel: after, changed: after.difference(from: before)))
        case .channelRemoved(let entry, let why):
            documents[entry.id] = nil
            context.emit(ChannelRemoved(channel: ChannelDocument(ChannelRow(entry)), why: why))
        case .streamerAdded(let streamer):
            context.emit(StreamerAdded(streamer: StreamerRow(streamer: streamer, now: nil)))
        case .streamerChanged(let streamer):
            context.emit(StreamerChanged(streamer: StreamerRow(streamer: streamer, now: nil)))
        case .streamerRemoved(let streamer):
            context.emit(StreamerRemoved(streamer: StreamerRow(streamer: streamer, now: nil)))
        }
    }

    private func renew(_ entry: ListedChannel) -> ChannelDocument {
        let document = ChannelDocument(ChannelRow(entry))
        documents[entry.id] = document
        return document
    }

    /// Emits an event with the whole ordered list and what was added, changed and removed (SVM-31), for each kind of
    /// which anything was.
    private func emitLists() {
        guard !unlisted.isEmpty else { return }
        let changes = unlisted
        unlisted = []
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
        list.channels = lineUp.current.listed(kind).map { document(of: $0) }
        return list
    }
}
