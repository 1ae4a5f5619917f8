// SPDX-License-Identifier: Apache-2.0
import Scene
import Time
import Timelines

/// Decides which texts are on the screen, and until when. Events and the time go in, contents of planes come out.
public struct ScreenText: Sendable {
    /// The displays that a command can switch on and off.
    public enum Item: String, Sendable, CaseIterable { case stats, banner, transport }

    public enum Mode: String, Sendable, CaseIterable {
        case on, off
        /// Shown when there is a reason: the banner after tuning, the transport bar while paused or behind live.
        case auto
    }

    public struct Policy: Sendable {
        /// If false, only messages and tickers are shown.
        public var isEnabled = true
        /// How long the banner is shown after tuning.
        public var bannerSpan = Nanoseconds.seconds(5)
        public var zone = TimeZoneRules.utc
        /// Whether transport bar and statistics are shown without a command (PLAY-40).
        public var isDebug = false

        public init() {}
    }

    public struct ChannelLabel: Hashable, Sendable {
        public var number: Int?
        public var name: String
        /// Path of a PNG file.
        public var logo: String?
        public var now: Programme?
        public var next: Programme?

        public init(
            number: Int?, name: String, logo: String? = nil, now: Programme? = nil, next: Programme? = nil
        ) {
            self.number = number
            self.name = name
            self.logo = logo
            self.now = now
            self.next = next
        }
    }

    public struct TransportState: Hashable, Sendable {
        public enum Place: Hashable, Sendable {
            case live(behind: Nanoseconds, available: Nanoseconds)
            case file(position: Nanoseconds, duration: Nanoseconds?)
        }

        public var isPaused: Bool
        public var place: Place

        public init(isPaused: Bool, place: Place) {
            self.isPaused = isPaused
            self.place = place
        }
    }

    public enum Input: Sendable {
        case set(Item, Mode)
        /// A channel was tuned; nil if none is tuned any more.
        case channelTuned(ChannelLabel?)
        /// The current and the next programme of the tuned channel have changed.
        case programmes(now: Programme?, next: Programme?)
        /// The playback position, sent at least once a second while something plays; nil if nothing does.
        case transport(TransportState?)
        /// Playback was resumed, paused or sought: the transport bar is shown for a while (SVM-68).
        case transportAsked
        /// The volume. The first one after the start is not shown.
        case volume(VolumeBar)
        /// Shows or hides the buffering mark (SVM-78).
        case buffering(Bool)
        case statistics(StatisticsPanel)
        /// Opens the list of channels, or changes it; nil closes it. While it is open it takes the place of all but tickers
        /// and messages.
        case channelList(ChannelListPanel?)
        /// The number of a channel while it is typed; nil if none is.
        case number(NumberPanel?)
        /// nil withdraws all messages. An emergency message is alone on the screen; it ignores the span and stays until it is
        /// withdrawn, as does one for certain pictures until it is over; it is shown whenever they are.
        case message(ScreenMessage?, span: Nanoseconds?)
        /// The pictures of the message that waits for some have gone for good.
        case scheduledMessageIsOver
        case ticker(TickerText?)
        /// Shows a test card for a time, over everything; an emergency message takes its place; nil removes it.
        case testCard(ScreenTestCard?, span: Nanoseconds)
        /// What a stream said by which the time of day goes; nil for the box's clock.
        case streamTime(StreamTime?)
        /// The stage has this size from now on, and has dropped the texts that were typeset for another.
        case stage(PixelSize)
        /// Policy and geometry from now on.
        case options(ScreenTextEngine.Options)
    }

    private static let volumeSpan = Nanoseconds.seconds(2)
    private static let transportSpan = Nanoseconds.seconds(5)

    private var tickerText: TickerText?
    private var policy: Policy
    private var modes: [Item: Mode] = [:]
    private var channel: ChannelLabel?
    private var bannerEnd: Monotonic?
    private var transport: TransportState?
    private var transportEnd: Monotonic?
    private var volume: VolumeBar?
    private var volumeEnd: Monotonic?
    private var streamTime: StreamTime?
    private var isBuffering = false
    private var statistics: StatisticsPanel?
    private var channelList: ChannelListPanel?
    private var number: NumberPanel?
    private var messages: (plain: ScreenMessage?, emergency: ScreenMessage?)
    /// A message that is shown with certain pictures, and the name of the channel to which they belong; nil for any.
    private var scheduled: (message: ScreenMessage, channel: String?)?
    private var messageEnd: Monotonic?
    private var testCard: (card: ScreenTestCard, end: Monotonic)?

    public init(_ policy: Policy = Policy()) { self.policy = policy }

    public mutating func handle(_ input: Input, now: Monotonic) {
        switch input {
        case .set(let item, let mode): modes[item] = mode
        case .channelTuned(let label):
            channel = label
            bannerEnd = label == nil ? nil : now + policy.bannerSpan
            transportEnd = nil
        case .programmes(let current, let next):
            channel?.now = current
            channel?.next = next
        case .transport(let state):
            if let state, let before = transport, state.isPaused != before.isPaused {
                transportEnd = now + Self.transportSpan
            }
            transport = state
        case .transportAsked: transportEnd = now + Self.transportSpan
        case .volume(let bar):
            if let before = volume, before != bar { volumeEnd = now + Self.volumeSpan }
            volume = bar
        case .buffering(let buffers): isBuffering = buffers
        case .statistics(let panel): statistics = panel
        case .channelList(let panel): channelList = panel
        case .number(let panel): number = panel
        case .ticker(let text): tickerText = text
        case .testCard(let card, let span): testCard = card.map { ($0, now + span) }
        case .streamTime(let time): streamTime = time
        case .options(let options): policy = options.policy
        case .stage: break  // changes places, but no contents
        case .scheduledMessageIsOver: scheduled = nil
        case .message(let message, let span):
            if message?.isEmergency == true {
                messages.emergency = message
            } else if let message, message.pictures != nil {
                scheduled = (message, channel?.name)
            } else if message != nil {
                messages.plain = message
                messageEnd = span.map { now + $0 }
            } else {
                messages = (nil, nil)
                scheduled = nil
            }
        }
    }

    /// nil while an emergency message is alone.
    public var ticker: TickerText? { messages.emergency == nil ? tickerText : nil }

    /// The contents of all planes at this time; a plane that is not listed is empty. An emergency message is alone.
    public func contents(now: Monotonic, wall: WallTime) -> [OverlayPlane: OverlayContent] {
        var contents: [OverlayPlane: OverlayContent] = [:]
        if let emergency = messages.emergency { return [.emergency: .message(emergency)] }
        if isBefore(messageEnd, now, or: true) { contents[.advertisement] = messages.plain.map { .message($0) } }
        if let scheduled, scheduled.channel == nil || scheduled.channel == channel?.name {
            contents[.scheduled] = .message(scheduled.message)
        }
        if let testCard, let seconds = secondsLeftOfTestCard(at: now) {
            contents[.testCard] = .testCard(testCard.card)
            contents[.testCardMotion] = .testCardMotion(TestCardMotion(secondsLeft: seconds))
        }
        guard policy.isEnabled else { return contents }
        contents[.number] = number.map { .number($0) }
        if let channelList {
            contents[.channelList] = .channelList(channelList)
            return contents
        }
        if mode(of: .stats) == .on { contents[.statistics] = statistics.map { .statistics($0) } }
        if let channel, isShown(.banner, when: isBefore(bannerEnd, now)) {
            let time = streamTime?.time(at: now) ?? wall
            contents[.banner] = .banner(ChannelBanner(channel, at: time, in: policy.zone))
        }
        if let transport {
            let bar = TransportBar(transport)
            if isShown(.transport, when: bar.sign != .playing || isBefore(transportEnd, now)) {
                contents[.transport] = .transport(bar)
            }
        }
        if let volume, number == nil, isBefore(volumeEnd, now) { contents[.volume] = .volume(volume) }
        if isBuffering { contents[.buffering] = .buffering }
        return contents
    }

    /// The next instant at which the contents change without an input; nil if there is none.
    public func nextChange(after now: Monotonic, wall: WallTime) -> Monotonic? {
        var ends = [messageEnd]
        if let testCard, let seconds = secondsLeftOfTestCard(at: now) {
            ends.append(testCard.end - .seconds(seconds - 1))
        }
        if policy.isEnabled { ends += [bannerEnd, transportEnd, volumeEnd] }
        var next = ends.compactMap { $0 }.filter { $0 > now }.min()
        if policy.isEnabled, channel != nil, isShown(.banner, when: isBefore(bannerEnd, now)) {
            let time = streamTime?.time(at: now) ?? wall
            let minute = now + .seconds(60 - (time.seconds % 60 + 60) % 60)
            next = min(next ?? minute, minute)
        }
        return next
    }

    /// Seconds that have begun and not ended; nil if no test card is shown.
    private func secondsLeftOfTestCard(at now: Monotonic) -> Int64? {
        guard let end = testCard?.end, now < end else { return nil }
        return (end - now + .seconds(1) - Nanoseconds(1)).seconds
    }

    private func isBefore(_ end: Monotonic?, _ now: Monotonic, or endless: Bool = false) -> Bool {
        end.map { now < $0 } ?? endless
    }

    private func mode(of item: Item) -> Mode {
        let mode = modes[item] ?? .auto
        return mode == .auto && policy.isDebug && item != .banner ? .on : mode
    }

    private func isShown(_ item: Item, when isReason: Bool) -> Bool {
        switch mode(of: item) {
        case .on: true
        case .off: false
        case .auto: isReason
        }
    }
}
