// SPDX-License-Identifier: Apache-2.0
import Buffers
import Codecs
import Display
import Media
import Mixing
import Network
import Playback
import Presentation
import Reception
import Scene
import Settings
import Sound
import System
import Time
import Venue

/// Stage, mixer and what is played: everything with a media thread in it. Told by method calls of the control plane's
/// thread, answers by reports and counters only, so that it could live in another process.
final class MediaPlane {
    private let settings: Settings
    private let decoders: DecoderDesk
    private let reports: Mailbox<MediaReport>
    private let stage: Stage
    private let screenText: ScreenTextEngine
    /// Of all local times of the box; and why it is not that of the settings.
    let zone: (rules: TimeZoneRules, problem: String?)
    /// What is on the stage, for people.
    let pictures: PictureStream
    private let mixer: Mixer
    /// Of a box that plays to cards.
    private var cards: SoundCards?
    /// By number.
    private var sessions: [Int: OpenSession] = [:]
    private var kept = KeptChannels()
    /// Sessions have been closed since the last tick, which gives back what they took.
    private var haveClosed = false

    private struct OpenSession {
        let session: PlaybackSession
        let region: String
        /// Nil for a file.
        let reception: (channel: Channel, receiver: ChannelReceiver)?
    }

    private static func outputKind(_ output: Settings.Output) -> OutputKind {
        switch output.kind {
        case .headless: .headless
        case .headlessGles: .headlessGLES
        case .kms:
            .kms(
                mode: output.mode, connector: output.connector, drawing: ScreenDrawing(output.drawing),
                planes: output.usesPlanes, isMirrored: output.isMirrored)
        case .null: .null
        }
    }

    init(_ settings: Settings, decoders: DecoderDesk, reports: Mailbox<MediaReport>) throws(SystemCallError) {
        self.settings = settings
        self.decoders = decoders
        self.reports = reports
        let exchange = PictureExchange()
        let size = PixelSize(width: settings.output.width, height: settings.output.height)
        let stage = try Stage(Self.outputKind(settings.output), size: size) { report in
            if case .screenshotTaken(let screenshot) = report {
                exchange.taken.post(screenshot)
            } else {
                reports.post(.stage(report))
            }
        }
        self.stage = stage
        pictures = try PictureStream(
            of: size, over: exchange, take: { stage.post(.takeScreenshot($0)) },
            encoded: { reports.post(.screenshot(ticket: $0, $1)) })
        zone = TimeZoneRules.installed(settings.screenText.timeZone)
        screenText = try ScreenTextEngine(size: size, ScreenTextEngine.Options(settings, zone: zone.rules)) {
            stage.post($0)
        } failed: {
            reports.post(.stage(.drawFailed($0)))
        }
        let (output, unmutes) = (settings.sound.output, settings.sound.unmutes)
        if case .alsa(let device) = output { cards = SoundCards(for: device) }
        mixer = try Mixer {
            switch output {
            case .null: NullSound()
            case .wav(let path): try WAVSound(path: path)
            case .alsa(let device): try ALSASound(device: device, unmutes: unmutes)
            }
        } report: {
            reports.post(.sound($0))
        }
    }

    /// - Returns: false when the text thread hangs.
    @discardableResult
    func write(_ input: ScreenText.Input) -> Bool { screenText.post(input) }

    /// Sessions that are open.
    var sessionCount: Int { sessions.count }

    /// Starts to play. Nothing is left behind when it throws.
    func open(
        _ session: Int, _ source: SessionSource, choice: StreamChoice, in region: String, heard sound: RegionSound
    ) throws(SystemCallError) {
        switch source {
        case .live(let channel):
            let receiver = try receiver(of: channel, program: choice.program, region)
            do {
                let input = PlaybackSession.Input.live(receiver.history, arrived: receiver.arrived)
                let delay = channel.playoutDelay(else: settings.playback.playoutDelay)
                let session = try makeSession(session, input, delay: delay, choice)
                start(OpenSession(session: session, region: region, reception: (channel, receiver)), sound)
            } catch {
                receiver.stop()
                throw error
            }
        case .file(let path):
            kept.drop(in: region)
            let session = try makeSession(session, .file(path: path), delay: .zero, choice)
            start(OpenSession(session: session, region: region, reception: nil), sound)
        }
    }

    /// Leaves the session. Its last picture stays on the screen; its channel is received on for as long as its history
    /// reaches, or until another one is opened in its region.
    func close(_ session: Int) {
        guard let closing = sessions.removeValue(forKey: session) else { return }
        stage.post(.unbind(session: session))
        mixer.detach(session: session)
        closing.session.stop()
        haveClosed = true
        guard let (channel, receiver) = closing.reception else { return }
        kept.keep(
            channel, receiver, of: closing.region, until: SystemClock.monotonic() + settings.playback.history,
            atMost: max(1, settings.playback.sessionLimit - sessions.count))
    }

    func perform(_ session: Int, _ command: SessionCommand) {
        guard let open = sessions[session] else { return }
        if case .select(let choice) = command { open.reception?.receiver.follow(program: choice.program) }
        open.session.post(command)
    }

    /// Of the channels that are received.
    var memberships: [(channel: Channel, membership: ChannelMembership)] {
        (sessions.values.compactMap(\.reception) + kept.receptions).map { ($0.channel, $0.receiver.membership) }
    }

    /// Once a second.
    func tick(at now: Monotonic) {
        kept.expire(at: now)
        guard haveClosed else { return }
        haveClosed = false
        HeapMemory.giveBack()
    }

    // MARK: Sound

    var playsToCards: Bool { cards != nil }

    /// From time to time: sound follows the display that is switched on, and the card that is plugged in.
    func lookAtCards() {
        if let best = cards?.change() { mixer.outputsChanged(best: best) }
    }

    /// Of the sum.
    func setVolume(_ volume: Int) { mixer.setVolume(volume, of: nil) }

    /// Of the sum.
    func setMuted(_ isMuted: Bool) { mixer.setMuted(isMuted, of: nil) }

    func setSound(_ sound: RegionSound, of session: Int) {
        mixer.setVolume(sound.level, of: session)
        mixer.setMuted(sound.isMuted, of: session)
    }

    /// The epoch of what is heard of a session; nil: nothing is.
    func soundEpoch(of session: Int) -> Int? { mixer.inputCounters(of: session)?.playingEpoch }

    // MARK: Stage

    var stageSize: PixelSize { stage.size }

    func setLayout(_ layout: StageLayout, _ transition: StageTransition) {
        stage.post(.setLayout(layout, transition))
    }

    func show(_ slate: Slate, in region: String) { stage.post(.showSlate(slate, region: region)) }

    /// Answered by a report.
    func takeScreenshot(ticket: Int) { pictures.takeFile(ticket: ticket) }

    // MARK: What is

    /// Where the play-head of a session is; nil when it is not open.
    func position(of session: Int?) -> PlaybackPosition? {
        session.flatMap { sessions[$0] }?.session.position.value
    }

    /// How well a session's channel is received; nil of a file.
    func quality(of session: Int?) -> StreamQuality? {
        session.flatMap { sessions[$0] }?.reception?.receiver.quality
    }

    /// A snapshot; the threads count on.
    /// - Parameters:
    ///   - session: whose counters stand beside those of all; nil: none's.
    ///   - region: where it plays.
    func counters(of session: Int?, in region: String) -> MediaCounters {
        let open = session.flatMap { sessions[$0] }
        return MediaCounters(
            reception: open?.reception?.receiver.counters, quality: quality(of: session),
            playback: open?.session.counters.value,
            stage: stage.counters.value, screen: stage.screen.value, sound: mixer.counters.value,
            screenText: screenText.counters.value,
            sessionSound: open.flatMap { mixer.inputCounters(of: $0.session.id) }, region: regionCounters(region),
            pictures: pictures.counters)
    }

    /// Zero while the render thread has not heard of it.
    func regionCounters(_ name: String) -> RegionCounters {
        stage.regionCounters.first { $0.name == name } ?? RegionCounters(name: name)
    }

    func stop() {
        for session in sessions.keys.sorted() { close(session) }
        kept.dropAll()
        mixer.stop()
        screenText.stop()
        stage.stop()
        pictures.stop()
    }

    // MARK: Parts

    private func makeSession(
        _ id: Int, _ input: PlaybackSession.Input, delay: Nanoseconds, _ choice: StreamChoice
    ) throws(SystemCallError) -> PlaybackSession {
        var options = PlaybackSession.Options(delay: delay)
        options.choice = choice
        options.stretchesAtStart = settings.playback.startPolicy == .stretch
        options.decoders = decoders
        options.decoding = DecodingLadder.Choice(settings.playback.decoding)
        options.showsDamage = settings.playback.damage == .show
        let reports = reports
        return try PlaybackSession(
            id: id, input, options, pictureWakeup: stage.wakeup
        ) { reports.post(.playback($0)) }
    }

    private func start(_ open: OpenSession, _ sound: RegionSound) {
        stage.post(.bind(open.session.frames, region: open.region))
        mixer.attach(open.session.sound, volume: sound.level, isMuted: sound.isMuted)
        sessions[open.session.id] = open
    }

    /// One that is received still, if it is the same channel, in the same way.
    private func receiver(
        of channel: Channel, program: UInt16?, _ region: String
    ) throws(SystemCallError) -> ChannelReceiver {
        let same = kept.take(channel)
        kept.drop(in: region)
        if let same {
            same.follow(program: program)
            return same
        }
        return try ChannelReceiver(
            channel.transport, interface: settings.network.interface ?? "", bandwidthKbps: channel.bandwidthKbps,
            program: program, delay: channel.playoutDelay(else: settings.playback.playoutDelay),
            history: makeHistory(for: channel), membership: ChannelMembership.Options(settings.network),
            limits: settings.monitor)
    }

    /// Kept of a channel whose bit rate is not announced, and the least that is kept of any.
    private static let smallestHistory = 4 << 20

    private func makeHistory(for channel: Channel) -> HistoryBuffer {
        // What is repaired may be asked for only when it is shown.
        let delay = channel.playoutDelay(else: settings.playback.playoutDelay)
        let span = max(settings.playback.history, delay + .seconds(1))
        // Half as much again as the nominal rate says: announced rates are averages.
        let wanted = channel.bandwidthKbps > 0 ? Int(span.milliseconds) * channel.bandwidthKbps / 8 * 3 / 2 : .max
        let capacity = max(Self.smallestHistory, min(wanted, settings.playback.historyLimitOctets))
        return HistoryBuffer(span: span, capacity: capacity)
    }
}

extension ChannelMembership.Options {
    fileprivate init(_ network: Settings.Network) {
        self.init()
        silence = SilenceWatch.Waits(first: network.rejoinWait, longest: network.longestRejoinWait)
        failover = network.sourceFailover
    }
}

extension DecodingLadder.Choice {
    fileprivate init(_ decoding: Settings.Playback.Decoding) {
        self =
            switch decoding {
            case .automatic: .auto
            case .hardware: .hardware
            case .software: .software
            }
    }
}

extension ScreenDrawing {
    fileprivate init(_ drawing: Settings.Output.Drawing) {
        self =
            switch drawing {
            case .automatic: .automatic
            case .gles: .gles
            case .processor: .processor
            }
    }
}
