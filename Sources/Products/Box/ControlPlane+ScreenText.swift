// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import LineUp
import Playback
import Presentation
import Time
import Venue

/// The inputs of the screen text, and the commands that write on the screen.
extension ControlPlane {
    private static let messageSpan = Nanoseconds.seconds(10)

    /// Gives the screen text what has changed. Called after each event and once a second.
    func followOnScreen() {
        let session = main.player.current
        let label = session.map { self.label(of: $0) }
        if session?.id != screenText.session {
            screenText.session = session?.id
            screenText.label = label
            media.write(.channelTuned(label))
        } else if label != screenText.label {
            screenText.label = label
            media.write(.programmes(now: label?.now, next: label?.next))
        }
        let transport = session.flatMap { self.transport(of: $0) }
        if transport != screenText.transport {
            screenText.transport = transport
            media.write(.transport(transport))
        }
        let bar = VolumeBar(level: volume.level, isMuted: volume.isMuted)
        if bar != screenText.volume {
            screenText.volume = bar
            media.write(.volume(bar))
        }
        let isBuffering = session.map { $0.isBuffering && !$0.isPaused } ?? false
        if isBuffering != screenText.isBuffering {
            screenText.isBuffering = isBuffering
            media.write(.buffering(isBuffering))
        }
    }

    /// Called once a second.
    func tickScreenText() {
        followOnScreen()
        if screenText.wantsStatistics { media.write(.statistics(statisticsPanel)) }
    }

    private func label(of session: PlayingSession) -> ScreenText.ChannelLabel {
        let id = main.tunedPlaylist ?? session.source.channel?.id
        let entry = id.flatMap { lineUp.entry(matching: $0.text) }
        let both = id.flatMap { nowNext.current[$0] }
        return ScreenText.ChannelLabel(
            number: entry?.number, name: entry?.name ?? session.name, now: both?.now.map(Programme.init),
            next: both?.next.map(Programme.init))
    }

    private func transport(of session: PlayingSession) -> ScreenText.TransportState? {
        guard let position = media.position(of: session.id) else { return nil }
        let place: ScreenText.TransportState.Place =
            session.source.channel == nil
            ? .file(position: position.progress, duration: position.duration)
            : .live(behind: position.behindLive, available: position.available)
        return ScreenText.TransportState(isPaused: session.isPaused, place: place)
    }

    /// The figures that a technician asks for first, from reception to presentation.
    private var statisticsPanel: StatisticsPanel {
        var rows: [StatisticsPanel.Row] = []
        rows.append(.init("channel", main.player.current?.name ?? "none"))
        rows.append(.init("address", address))
        for stream in main.player.current?.streams ?? [] where stream.isPlayed {
            rows.append(.init("stream \(stream.pid)", stream.codec))
        }
        rows += StatisticsView(snapshot: statistics.snapshot()).panel
        return StatisticsPanel(rows)
    }

    // MARK: Commands

    /// - Returns: nil if the command is not about the screen text.
    func handleScreenText(_ request: CommandRequest) -> Result<JSONValue, Status>? {
        switch request.command {
        case "osd": return switchScreenText(request)
        case "ticker":
            let position = request.text("position").flatMap(TickerText.Position.init(rawValue:)) ?? .bottom
            let speed = request.integer("pixelsPerSecond").map { Int(clamping: $0) }
            let ticker = TickerText(request.text("text") ?? "", pixelsPerSecond: speed, position: position)
            return written(.ticker(ticker))
        case "ticker-clear": return written(.ticker(nil))
        case "message":
            let message = ScreenMessage(request.text("text") ?? "", isEmergency: request.isSet("emergency"))
            let span = request.integer("durationMs").map { Nanoseconds.milliseconds($0) } ?? Self.messageSpan
            return written(.message(message, span: span))
        case "message-clear": return written(.message(nil, span: nil))
        default: return nil
        }
    }

    private func switchScreenText(_ request: CommandRequest) -> Result<JSONValue, Status> {
        guard settings.screenText.isEnabled else {
            return .failure(.failure(.failed, "screenText.enabled is false; expected true for 'osd'"))
        }
        guard let item = request.text("item").flatMap(ScreenText.Item.init(rawValue:)),
            let mode = request.text("state").flatMap(ScreenText.Mode.init(rawValue:))
        else { return .failure(.failure(.usage, "osd needs an item and a state")) }
        if item == .stats {
            screenText.wantsStatistics = mode == .on || mode == .auto && settings.screenText.strategy == .debug
            if screenText.wantsStatistics { media.write(.statistics(statisticsPanel)) }
        }
        return written(.set(item, mode))
    }

    private func written(_ input: ScreenText.Input) -> Result<JSONValue, Status> {
        media.write(input)
            ? .success([:]) : .failure(.failure(.busy, "the text thread does not take what is to be written"))
    }
}

extension Programme {
    init(_ broadcast: Broadcast) {
        self.init(title: broadcast.title, start: broadcast.start, stop: broadcast.end)
    }
}
