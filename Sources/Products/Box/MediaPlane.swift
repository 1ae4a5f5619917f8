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

/// Stage, mixer and the tuned channel: everything with a media thread in it. Told by method calls of the control plane's
/// thread, answers by reports and counters only, so that it could live in another process.
final class MediaPlane {
    /// Kept of a channel whose bit rate is not announced, and the least that is kept of any.
    private static let smallestHistory = 4 << 20

    private let settings: Settings
    private let reports: Mailbox<MediaReport>
    private let stage: Stage
    private let mixer: Mixer
    private var tuned: Tuned?

    private struct Tuned {
        let receiver: ChannelReceiver
        let session: PlaybackSession
    }

    init(_ settings: Settings, reports: Mailbox<MediaReport>) throws(SystemCallError) {
        self.settings = settings
        self.reports = reports
        stage = try Stage(
            settings.output.kind == .null ? .null : .headless,
            size: PixelSize(width: settings.output.width, height: settings.output.height)
        ) { reports.post(.stage($0)) }
        let sound = settings.sound
        mixer = try Mixer {
            switch sound.output {
            case .null, .alsa: NullSound()
            case .wav(let path): WAVSound(path: path)
            }
        }
    }

    /// Joins a channel and starts to play it. Nothing is left behind when it throws.
    func open(_ session: Int, _ source: SessionSource, choice: StreamChoice) throws {
        guard let channel = source.channel else { throw Status.failure(.failed, "files are not played yet") }
        let reports = reports
        let receiver = try ChannelReceiver(
            channel.transport, interface: settings.network.interface ?? "", history: makeHistory(for: channel))
        do {
            let playback = try PlaybackSession(
                id: session, history: receiver.history, arrived: receiver.arrived,
                delay: channel.playoutDelay ?? settings.playback.playoutDelay, pictureWakeup: stage.wakeup,
                audioWakeup: mixer.wakeup
            ) { reports.post(.playback($0)) }
            stage.post(.bind(playback.frames))
            mixer.attach(playback.sound)
            tuned = Tuned(receiver: receiver, session: playback)
        } catch {
            receiver.stop()
            throw error
        }
    }

    /// Leaves the channel. Its last picture stays on the screen.
    func close(_ session: Int) {
        guard let closing = tuned, closing.session.id == session else { return }
        tuned = nil
        stage.post(.unbind(session: session))
        mixer.detach(session: session)
        closing.session.stop()
        closing.receiver.stop()
    }

    /// Carried out by the session's decode thread; nothing when another session is open.
    func perform(_ session: Int, _ command: SessionCommand) {}

    var position: PlaybackPosition? { nil }

    func setVolume(_ volume: Int) {}

    func setMuted(_ isMuted: Bool) {}

    func show(_ slate: Slate) { stage.post(.showSlate(slate)) }

    func takeScreenshot(ticket: Int) { stage.post(.takeScreenshot(Screenshot(ticket: ticket, size: stage.size))) }

    /// A snapshot; the threads count on.
    var counters: MediaCounters {
        MediaCounters(
            reception: tuned?.receiver.counters.value, playback: tuned?.session.counters.value,
            stage: stage.counters.value, sound: mixer.counters.value)
    }

    func stop() {
        if let tuned { close(tuned.session.id) }
        mixer.stop()
        stage.stop()
    }

    private func makeHistory(for channel: Channel) -> HistoryBuffer {
        let span = settings.playback.history
        // Half as much again as the nominal rate says: announced rates are averages.
        let wanted = channel.bandwidthKbps > 0 ? Int(span.milliseconds) * channel.bandwidthKbps / 8 * 3 / 2 : .max
        let capacity = max(Self.smallestHistory, min(wanted, settings.playback.historyLimitOctets))
        return HistoryBuffer(span: span, capacity: capacity)
    }
}
