// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Mixing
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
    /// Kept of a channel whose bit rate is not announced, and the least that is kept of any.
    private static let smallestHistory = 4 << 20

    private let settings: Settings
    private let reports: Mailbox<MediaReport>
    private let stage: Stage
    private let mixer: Mixer
    private var playing: Playing?
    private var kept: Kept?

    private struct Playing {
        let session: PlaybackSession
        /// Nil for a file.
        let reception: (channel: Channel, receiver: ChannelReceiver)?
    }

    /// A channel that was stopped, still received: whoever plays it again finds its history.
    private struct Kept {
        let channel: Channel
        let receiver: ChannelReceiver
        let until: Monotonic
    }

    private static func outputKind(_ kind: Settings.Output.Kind) -> OutputKind {
        switch kind {
        case .headless: .headless
        case .headlessGles: .headlessGLES
        case .null: .null
        }
    }

    init(_ settings: Settings, reports: Mailbox<MediaReport>) throws(SystemCallError) {
        self.settings = settings
        self.reports = reports
        stage = try Stage(
            Self.outputKind(settings.output.kind),
            size: PixelSize(width: settings.output.width, height: settings.output.height)
        ) { reports.post(.stage($0)) }
        let output = settings.sound.output
        mixer = try Mixer {
            switch output {
            case .null: NullSound()
            case .wav(let path): try WAVSound(path: path)
            case .alsa(let device): try ALSASound(device: device)
            }
        }
    }

    /// Starts to play. Nothing is left behind when it throws.
    func open(_ session: Int, _ source: SessionSource, choice: StreamChoice) throws(SystemCallError) {
        switch source {
        case .live(let channel):
            let receiver = try receiver(of: channel, program: choice.program)
            do {
                let input = PlaybackSession.Input.live(receiver.history, arrived: receiver.arrived)
                let delay = channel.playoutDelay ?? settings.playback.playoutDelay
                start(try makeSession(session, input, delay: delay, choice), receiving: (channel, receiver))
            } catch {
                receiver.stop()
                throw error
            }
        case .file(let path):
            dropKept()
            start(try makeSession(session, .file(path: path), delay: .zero, choice), receiving: nil)
        }
    }

    /// Leaves the session. Its last picture stays on the screen; its channel is received on for as long as its history
    /// reaches, or until another one is opened.
    func close(_ session: Int) {
        guard let closing = playing, closing.session.id == session else { return }
        playing = nil
        stage.post(.unbind(session: session))
        mixer.detach(session: session)
        closing.session.stop()
        guard let (channel, receiver) = closing.reception else { return }
        dropKept()
        kept = Kept(
            channel: channel, receiver: receiver, until: SystemClock.monotonic() + settings.playback.history)
    }

    func perform(_ session: Int, _ command: SessionCommand) {
        guard let playing, playing.session.id == session else { return }
        if case .select(let choice) = command { playing.reception?.receiver.follow(program: choice.program) }
        playing.session.post(command)
    }

    /// Once a second.
    func tick(at now: Monotonic) { if let kept, kept.until <= now { dropKept() } }

    func setVolume(_ volume: Int) { mixer.setVolume(volume, of: nil) }

    func setMuted(_ isMuted: Bool) { mixer.setMuted(isMuted, of: nil) }

    func show(_ slate: Slate) { stage.post(.showSlate(slate, region: "main")) }

    func takeScreenshot(ticket: Int) { stage.post(.takeScreenshot(Screenshot(ticket: ticket, size: stage.size))) }

    /// Where the play-head of the playing session is.
    var position: PlaybackPosition? { playing?.session.position.value }

    /// A snapshot; the threads count on.
    var counters: MediaCounters {
        MediaCounters(
            reception: playing?.reception?.receiver.counters.value, playback: playing?.session.counters.value,
            stage: stage.counters.value, sound: mixer.counters.value,
            sessionSound: playing.flatMap { mixer.inputCounters(of: $0.session.id) })
    }

    func stop() {
        if let playing { close(playing.session.id) }
        dropKept()
        mixer.stop()
        stage.stop()
    }

    private func makeSession(
        _ id: Int, _ input: PlaybackSession.Input, delay: Nanoseconds, _ choice: StreamChoice
    ) throws(SystemCallError) -> PlaybackSession {
        var options = PlaybackSession.Options(delay: delay)
        options.choice = choice
        options.stretchesAtStart = settings.playback.startPolicy == .stretch
        options.showsDamage = settings.playback.damage == .show
        let reports = reports
        return try PlaybackSession(
            id: id, input, options, pictureWakeup: stage.wakeup
        ) { reports.post(.playback($0)) }
    }

    private func start(
        _ session: PlaybackSession, receiving reception: (channel: Channel, receiver: ChannelReceiver)?
    ) {
        stage.post(.bind(session.frames, region: "main"))
        mixer.attach(session.sound)
        playing = Playing(session: session, reception: reception)
    }

    /// That of the channel stopped last when it is the same one, received in the same way.
    private func receiver(of channel: Channel, program: UInt16?) throws(SystemCallError) -> ChannelReceiver {
        if let same = kept, same.channel.id == channel.id, same.channel.transport == channel.transport {
            kept = nil
            same.receiver.follow(program: program)
            return same.receiver
        }
        dropKept()
        return try ChannelReceiver(
            channel.transport, interface: settings.network.interface ?? "", program: program,
            history: makeHistory(for: channel))
    }

    private func dropKept() {
        kept?.receiver.stop()
        kept = nil
    }

    private func makeHistory(for channel: Channel) -> HistoryBuffer {
        let span = settings.playback.history
        // Half as much again as the nominal rate says: announced rates are averages.
        let wanted = channel.bandwidthKbps > 0 ? Int(span.milliseconds) * channel.bandwidthKbps / 8 * 3 / 2 : .max
        let capacity = max(Self.smallestHistory, min(wanted, settings.playback.historyLimitOctets))
        return HistoryBuffer(span: span, capacity: capacity)
    }
}
