// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import LineUp
import Playback
import Presentation
import Shapes
import System
import Time
import Venue

/// The feature with which a viewer chooses a channel on the screen: from a list, or by its number (SVM-11; G-25). Keys of
/// remote controls are commands here.
public final class ChannelList: Feature {
    public static let summary = """
        choosing a channel on the screen, from a list or by its number; the commands `list` and `digit`
        """

    public static var commands: [Handler<ChannelList>] { [Handler(UseChannelList.self), Handler(TypeDigit.self)] }
    public static var sections: [SectionDescription] { [SectionDescription(ChannelListSettings.self)] }

    /// An open list.
    private struct Open {
        var group: String?
        var favouritesOnly: Bool
        var selection: ChannelSelection
    }

    private let loop: EventLoop
    private let screen: ScreenTextWriter
    private let regions: RegionDirectory
    private let lineUp: LineUpView
    private let nowNext: NowNextView
    private var settings: ChannelListSettings
    private var open: Open?
    private var entry = NumberEntry()
    private var listTimer: EventLoop.Timer?
    private var digitTimer: EventLoop.Timer?
    private var written: (list: ChannelListPanel?, number: NumberPanel?)

    public init(_ context: FeatureContext) throws(Status) {
        loop = context.loop
        screen = context.provided(ScreenTextWriter.self)
        regions = context.provided(RegionDirectory.self)
        lineUp = context.provided(LineUpView.self)
        nowNext = context.provided(NowNextView.self)
        settings = context.settings.running[ChannelListSettings.self]
        context.settings.follow(ChannelListSettings.self) { [weak self] in self?.settings = $0 }
        lineUp.subscribe { [weak self] _ in self?.lineUpChanged() }
    }

    public func tick(at now: Monotonic) { write() }

    public func stop() {
        for timer in [listTimer, digitTimer].compactMap(\.self) { loop.cancel(timer) }
    }

    // MARK: The list

    func show(group: String?, favouritesOnly: Bool) throws(Status) -> ListSelection {
        if let group, !lineUp.current.listed.contains(where: { !$0.isHidden && $0.groups.contains(group) }) {
            throw .failure(.failed, "group is \"\(group)\"; expected a group of a channel that is listed")
        }
        let current = regions.main.tunedPlaylist ?? regions.main.player.current?.source.channel?.id
        let selection = ChannelSelection(channels(group, favouritesOnly).map(\.id), at: current)
        open = Open(group: group, favouritesOnly: favouritesOnly, selection: selection)
        return try used()
    }

    func hide() -> ListSelection {
        if let listTimer { loop.cancel(listTimer) }
        listTimer = nil
        open = nil
        write()
        return answer
    }

    func move(_ move: ChannelSelection.Move) throws(Status) -> ListSelection {
        guard open != nil else { return try show(group: nil, favouritesOnly: false) }
        open?.selection.move(move)
        return try used()
    }

    func tune() throws(Status) -> ListSelection {
        guard let id = open?.selection.selected else {
            throw .failure(.failed, "no channel is selected; expected an open list")
        }
        try regions.tuner?.tune(id.text, in: regions.main)
        let tuned = answer
        _ = hide()
        return ListSelection(isOpen: false, entry: tuned.entry, place: tuned.place, count: tuned.count)
    }

    /// The list goes by itself some time after it was used last.
    private func used() throws(Status) -> ListSelection {
        if let listTimer { loop.cancel(listTimer) }
        listTimer = loop.after(settings.close) { [weak self] in _ = self?.hide() }
        guard write() else { throw .failure(.busy, "the text thread does not take what is to be written") }
        return answer
    }

    private func lineUpChanged() {
        guard let open else { return }
        self.open?.selection.replace(with: channels(open.group, open.favouritesOnly).map(\.id))
        write()
    }

    private func channels(_ group: String?, _ favouritesOnly: Bool) -> [ListedChannel] {
        lineUp.current.listed.filter { entry in
            !entry.isHidden && entry.kind == .video && (!favouritesOnly || entry.isFavourite)
                && (group.map { entry.groups.contains($0) } ?? true)
        }
    }

    private var answer: ListSelection {
        let selected = open?.selection.selected
        return ListSelection(
            isOpen: open != nil, entry: selected.flatMap { lineUp.current[$0] },
            place: selected == nil ? 0 : (open?.selection.index ?? 0) + 1, count: open?.selection.channels.count ?? 0)
    }

    // MARK: The number

    func type(_ digit: Int) throws(Status) -> TypedNumber {
        let step = entry.typed(
            digit, among: lineUp.current.listed.lazy.map(\.number), patience: settings.digit,
            now: SystemClock.monotonic())
        return try perform(step)
    }

    func endNumber() throws(Status) -> TypedNumber { try perform(entry.ended()) }

    func cancelNumber() -> TypedNumber {
        entry = NumberEntry()
        write()
        return TypedNumber(digits: "", name: nil, isTuned: false)
    }

    private func perform(_ step: NumberEntry.Step) throws(Status) -> TypedNumber {
        if let digitTimer { loop.cancel(digitTimer) }
        digitTimer = nil
        write()
        switch step {
        case .idle: return TypedNumber(digits: "", name: nil, isTuned: false)
        case .wait(let end):
            digitTimer = loop.after(end - SystemClock.monotonic()) { [weak self] in self?.digitsAreOver() }
            return TypedNumber(digits: entry.digits, name: name(of: entry.number), isTuned: false)
        case .tune(let number):
            guard let channel = lineUp.current.listed.first(where: { $0.number == number }) else {
                throw .failure(.failed, "number is \(number); expected that of a channel that is listed")
            }
            try regions.tuner?.tune(channel.id.text, in: regions.main)
            _ = hide()
            return TypedNumber(digits: String(number), name: channel.name, isTuned: true)
        }
    }

    /// Nobody waits for an answer: a number that no channel has is forgotten.
    private func digitsAreOver() {
        digitTimer = nil
        _ = try? perform(entry.step(at: SystemClock.monotonic()))
    }

    private func name(of number: Int?) -> String? {
        number.flatMap { number in lineUp.current.listed.first { $0.number == number }?.name }
    }

    // MARK: The screen

    /// Writes what has changed.
    /// - Returns: false if the text thread hangs.
    @discardableResult
    private func write() -> Bool {
        let list = open.map { open in
            ChannelListPanel(
                heading: open.group ?? (open.favouritesOnly ? "★" : "Channels"),
                rows: open.selection.channels.compactMap { id in
                    lineUp.current[id].map { entry in
                        ChannelListPanel.Row(
                            number: entry.number, name: entry.name, now: nowNext.current[id]?.now?.title,
                            isFavourite: entry.isFavourite)
                    }
                }, selected: open.selection.index)
        }
        let number = entry.digits.isEmpty ? nil : NumberPanel(digits: entry.digits, name: name(of: entry.number))
        if list != written.list {
            guard screen.write(.channelList(list)) else { return false }
            written.list = list
        }
        if number != written.number {
            guard screen.write(.number(number)) else { return false }
            written.number = number
        }
        return true
    }
}

struct ChannelListSettings: SettingsSection {
    static let name = "channelList"
    static let help = "How a channel is chosen on the screen."

    var closeMs: Int64 = 15_000
    var digitMs: Int64 = 1_500

    /// How long the list stays after it was used last.
    var close: Nanoseconds { .milliseconds(closeMs) }
    /// How long the next digit of a number may take.
    var digit: Nanoseconds { .milliseconds(digitMs) }

    static let shape = Shape<Self>([
        .setting(
            "closeMs", \.closeMs, .integer(1_000...600_000), .atOnce,
            "How long the list of channels stays on the screen after it was used last."),
        .setting(
            "digitMs", \.digitMs, .integer(300...10_000), .atOnce,
            "How long the next digit of a channel's number may take."),
    ])
}
