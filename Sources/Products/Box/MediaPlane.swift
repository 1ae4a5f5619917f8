// SPDX-License-Identifier: Apache-2.0
import Buffers
import Codecs
import Display
import Layouts
import Media
import Mixing
import Network
import Playback
import Presentation
import Reception
import Recording
import Scene
import Settings
import Sound
import Statistics
import System
import Time
import Venue

/// Stage, mixer and sessions: everything that has media threads. The control plane's thread calls its methods. It
/// answers by reports and counters only, so that it could run in another process.
final class MediaPlane {
    private let stage: Stage
    private let screenText: ScreenTextEngine
    /// Screenshots and the moving picture of the stage.
    let pictures: PictureStream
    private let mixer: Mixer
    /// How the mixer opens its output the next time.
    private let sound: LatestValue<Settings.Sound>
    /// nil if the settings' output of sound is not ALSA.
    private var cards: SoundCards?
    private let sessions: OpenSessions
    /// The changes of the output that the stage has not ended, by ticket.
    private var outputChanges: [Int: (Status?) -> Void] = [:]
    private var lastTicket = 0

    /// - Parameters:
    ///   - statistics: the registry to which the groups of the media plane are attached.
    ///   - recordings: the rings of what channels are given.
    init(
        _ settings: Settings, on devices: MediaDevices, decoders: DecoderPool, reports: StateMailbox<MediaReport>,
        statistics: StatisticRegistry, recordings: FlowRecordings
    ) throws(SystemCallError) {
        let exchange = PictureExchange()
        let output = OutputRequest(settings.output)
        let stage = try Stage(output, cards: devices.cards) { report in
            if case .screenshotTaken(let screenshot) = report {
                exchange.taken.post(screenshot)
            } else {
                reports.post(.stage(report))
            }
        }
        self.stage = stage
        pictures = try PictureStream(
            of: { stage.size }, over: exchange, take: { stage.post(.takeScreenshot($0)) },
            encoded: { reports.post(.screenshot(ticket: $0, $1)) })
        screenText = try ScreenTextEngine(size: output.size, ScreenTextEngine.Options()) {
            stage.post($0)
        } failed: {
            reports.post(.stage(.drawFailed($0)))
        }
        let sound = LatestValue(settings.sound)
        self.sound = sound
        cards = Self.cards(settings.sound)
        let openSound = devices.sound
        mixer = try Mixer {
            try openSound(sound.value)
        } report: {
            reports.post(.sound($0))
        }
        sessions = try OpenSessions(
            settings, stamps: devices.stamps, decoders: decoders, stage: stage, mixer: mixer, reports: reports,
            statistics: statistics, recordings: recordings)
        for group in MediaStatistics.groups(of: stage, mixer, screenText, pictures) { statistics.attach(group) }
    }

    // MARK: Settings

    private static func cards(_ sound: Settings.Sound) -> SoundCards? {
        if case .alsa(let device) = sound.output { SoundCards(for: device) } else { nil }
    }

    /// Opens sessions by other settings from now on.
    /// - Returns: whether open sessions of channels have to be opened again for it.
    func apply(_ new: Settings) -> Bool { sessions.apply(new) }

    /// Closes the output of sound and opens the one of these settings.
    func openSound(_ new: Settings.Sound) {
        sound.set(new)
        cards = Self.cards(new)
        mixer.reopen()
    }

    /// - Returns: false if the text thread hangs.
    @discardableResult
    func write(_ input: ScreenText.Input) -> Bool { screenText.post(input) }

    /// Shows the stage on another output. Sessions and sound go on.
    /// - Parameter end: called with nil when the new output shows the stage, or with why the old one shows it still.
    func show(on output: OutputRequest, _ end: @escaping (Status?) -> Void) {
        lastTicket += 1
        guard stage.change(to: output, ticket: lastTicket) else {
            return end(.failure(.busy, "the stage does not answer"))
        }
        outputChanges[lastTicket] = end
    }

    /// To be called when the stage reports the end of a change.
    func outputChanged(_ ticket: Int, _ problem: String?) {
        screenText.post(.stage(stage.size))
        outputChanges.removeValue(forKey: ticket)?(problem.map { .failure(.failed, $0) })
    }

    // MARK: Sessions

    /// Sessions that are open.
    var sessionCount: Int { sessions.count }

    /// How many sessions the decoders take; nil if there is no such limit, or if it is not known.
    var decodedLimit: Int? { sessions.decodedLimit }

    /// Why no session can be opened, because closed ones have not ended; nil when one can.
    var sessionRefusal: String? { sessions.refusal }

    /// Whether no session can ever be opened again, because closed ones hang for ever.
    var isExhausted: Bool { sessions.areExhausted }

    /// Opens a session. Nothing remains open if it throws.
    func open(
        _ session: Int, _ source: SessionSource, choice: StreamChoice, in region: String, headroom: Nanoseconds,
        heard sound: RegionSound
    ) throws {
        try sessions.open(session, source, choice: choice, in: region, headroom: headroom, heard: sound)
    }

    /// Gives each of two regions what the stage shows of the other, and its session.
    func exchange(_ region: String, with other: String) { sessions.exchange(region, with: other) }

    /// See `OpenSessions.give`.
    func give(headroom: Nanoseconds, to session: Int?) { sessions.give(headroom: headroom, to: session) }

    /// Closes the session; see `OpenSessions.close`.
    func close(_ session: Int) { sessions.close(session) }

    /// To be called when a closed session was reported to have ended.
    func sessionEnded(_ session: Int) { sessions.ended(session) }

    /// Sessions that open from now on receive their channels anew.
    func receiveAnew() { sessions.receiveAnew() }

    func perform(_ session: Int, _ command: SessionCommand) { sessions.perform(session, command) }

    /// Memberships of the channels that are received.
    var memberships: [(channel: Channel, membership: ChannelMembership)] { sessions.memberships }

    /// Memberships of the channels that are played.
    var played: [(channel: Channel, membership: ChannelMembership)] { sessions.played }

    /// Repair that was found of a channel; nil if none was.
    func foundRepair(of channel: Channel) -> Repair? { sessions.foundRepair(of: channel) }

    /// To be called once a second.
    func tick(at now: Monotonic) { sessions.tick(at: now) }

    // MARK: Sound

    /// Lets sound follow a display that is switched on and a card that is plugged in. To be called periodically.
    func lookAtCards() {
        if let best = cards?.change() { mixer.outputsChanged(best: best) }
    }

    func setMix(_ sound: RegionSound) {
        mixer.setVolume(sound.level, of: nil)
        mixer.setMuted(sound.isMuted, of: nil)
    }

    func setSound(_ sound: RegionSound, of session: Int) {
        mixer.setVolume(sound.level, of: session)
        mixer.setMuted(sound.isMuted, of: session)
    }

    /// Adds a test tone to the mix; nil ends it.
    func setTone(_ tone: TestTone?) { mixer.setTone(tone) }

    /// The epoch of the sound that is heard of a session; nil if none is heard.
    func soundEpoch(of session: Int) -> Int? { mixer.inputCounters(of: session)?.playingEpoch }

    // MARK: Stage

    var stageSize: PixelSize { stage.size }

    /// Whether an output shows the stage to people; see `Stage.isActive`.
    var isStageActive: Bool { stage.isActive }

    func setLayout(_ layout: StageLayout, _ transition: StageTransition) {
        stage.post(.setLayout(layout, transition))
    }

    func show(_ slate: Slate, in region: String) { stage.post(.showSlate(slate, region: region)) }

    /// Shows the card and nothing else from now on. Waits for that, a second at most.
    /// - Returns: whether it was shown.
    func goOffAir(_ card: Slate) -> Bool { stage.goOffAir(card, within: .seconds(1)) }

    /// Takes a screenshot; `MediaReport.screenshot` brings it.
    func takeScreenshot(ticket: Int, _ style: ScreenshotStyle) { pictures.takeFile(ticket: ticket, style) }

    // MARK: Figures

    /// The position of a session's playback clock; nil if the session is not open.
    func position(of session: Int?) -> PlaybackPosition? {
        sessions.session(session)?.position.value
    }

    /// Reception quality of a session's channel; nil if the session is not open or plays a file.
    func quality(of session: Int?) -> StreamQuality? {
        sessions.receiver(of: session)?.quality
    }

    /// Counters of a session; nil if it is not open.
    func playback(of session: Int) -> PlaybackCounters? { sessions.session(session)?.counters.value }

    /// Two senders of a session's channel at the same time; nil if there is one.
    func conflict(of session: Int) -> SenderConflict? { sessions.receiver(of: session)?.conflict }

    /// Counters of the reception of a session's channel; nil if the session is not open or plays a file.
    func reception(of session: Int) -> ReceptionCounters? { sessions.receiver(of: session)?.counters }

    /// The screen that shows the stage; nil if the output has none.
    var screen: ScreenStatus? { stage.screen.value }

    /// The measured rate of the screen, millionths of a hertz; 0 if it is not known.
    var refreshMicroHertz: Int64 { stage.counters.value.pacing.refreshMicroHertz }

    var mixerCounters: MixerCounters { mixer.counters.value }

    /// All zero until the render thread knows the region.
    func regionCounters(_ name: String) -> RegionCounters {
        stage.regionCounters.first { $0.name == name } ?? RegionCounters(name: name)
    }

    /// The time stamp of the picture that is shown of a session, 90 kHz; nil if its region has not shown any yet.
    func shownPicture(of session: Int) -> Int64? {
        stage.regionCounters.first { $0.session == session && $0.hasPicture }?.presentedPTS
    }

    /// What the main region showed.
    var presentations: PresentationLog { stage.presentations }

    /// Returns within some seconds, even if a session hangs.
    /// - Returns: the number of sessions and receivers that have not ended.
    func stop() -> Int {
        let left = sessions.stop()
        mixer.stop()
        screenText.stop()
        stage.stop()
        pictures.stop()
        return left
    }
}
