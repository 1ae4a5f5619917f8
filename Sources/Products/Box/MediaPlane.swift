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
import Statistics
import System
import Time
import Venue

/// Stage, mixer and what is played: everything with a media thread in it. Told by method calls of the control plane's
/// thread, answers by reports and counters only, so that it could live in another process.
final class MediaPlane {
    private let stage: Stage
    private let screenText: ScreenTextEngine
    /// Of all local times of the box; and why it is not that of the settings.
    let zone: (rules: TimeZoneRules, problem: String?)
    /// What is on the stage, for people.
    let pictures: PictureStream
    private let mixer: Mixer
    /// Of a box that plays to cards.
    private var cards: SoundCards?
    private let sessions: OpenSessions

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

    /// - Parameter statistics: of the control loop.
    init(
        _ settings: Settings, decoders: DecoderDesk, reports: StateMailbox<MediaReport>, statistics: StatisticRegistry
    ) throws(SystemCallError) {
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
        sessions = try OpenSessions(
            settings, decoders: decoders, stage: stage, mixer: mixer, reports: reports, statistics: statistics)
        for group in MediaStatistics.groups(of: stage, mixer, screenText, pictures) { statistics.attach(group) }
    }

    /// - Returns: false when the text thread hangs.
    @discardableResult
    func write(_ input: ScreenText.Input) -> Bool { screenText.post(input) }

    // MARK: Sessions

    /// Sessions that are open.
    var sessionCount: Int { sessions.count }

    /// Why no session can be opened, because closed ones have not ended; nil when one can.
    var sessionRefusal: String? { sessions.refusal }

    /// Nothing can be opened any more: closed sessions hang for ever.
    var isExhausted: Bool { sessions.areExhausted }

    /// Starts to play. Nothing is left behind when it throws.
    func open(
        _ session: Int, _ source: SessionSource, choice: StreamChoice, in region: String, heard sound: RegionSound
    ) throws(SystemCallError) {
        try sessions.open(session, source, choice: choice, in: region, heard: sound)
    }

    /// Leaves the session. See `OpenSessions.close`.
    func close(_ session: Int) { sessions.close(session) }

    /// What was reported of a session that was closed.
    func sessionEnded(_ session: Int) { sessions.ended(session) }

    func perform(_ session: Int, _ command: SessionCommand) { sessions.perform(session, command) }

    /// Of the channels that are received.
    var memberships: [(channel: Channel, membership: ChannelMembership)] { sessions.memberships }

    /// Once a second.
    func tick(at now: Monotonic) { sessions.tick(at: now) }

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
        sessions.session(session)?.position.value
    }

    /// How well a session's channel is received; nil of a file.
    func quality(of session: Int?) -> StreamQuality? {
        sessions.receiver(of: session)?.quality
    }

    /// A snapshot; the threads count on.
    /// - Parameters:
    ///   - session: whose counters stand beside those of all; nil: none's.
    ///   - region: where it plays.
    func counters(of session: Int?, in region: String) -> MediaCounters {
        let open = sessions.session(session)
        return MediaCounters(
            reception: sessions.receiver(of: session)?.counters, playback: open?.counters.value,
            sound: mixer.counters.value, region: regionCounters(region))
    }

    /// Zero while the render thread has not heard of it.
    func regionCounters(_ name: String) -> RegionCounters {
        stage.regionCounters.first { $0.name == name } ?? RegionCounters(name: name)
    }

    /// Ends within some seconds, even when a session hangs.
    /// - Returns: how many sessions and receivers do not end.
    func stop() -> Int {
        let left = sessions.stop()
        mixer.stop()
        screenText.stop()
        stage.stop()
        pictures.stop()
        return left
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
