// SPDX-License-Identifier: Apache-2.0
import Programming
import Time
import Venue

@testable import Playback

/// A controller under test and, as text, everything that it has done; time and position are the script's.
final class Trace {
    var controller: PlaybackController
    var position: PlaybackPosition?
    /// What the provider knows, by location.
    var offers: [String: SessionSource] = [:]
    private(set) var now = Monotonic(nanoseconds: 1_000_000_000)
    private var lines: [String] = []
    private var lastTicket = 0

    init(_ change: (inout PlaybackPolicy) -> Void = { _ in }) {
        var policy = PlaybackPolicy()
        change(&policy)
        controller = PlaybackController(policy)
        for name in ["One", "Two", "Default"] { offers[name] = .live(Self.channel(name)) }
        for path in ["/a.mp4", "/b.mp4", "/c.mp4"] { offers[path] = .file(path: path) }
    }

    static func channel(_ name: String) -> Channel {
        Channel(
            id: .init(name), name: name,
            transport: Transport(address: "239.1.1.1", port: 5_000, encapsulation: .rtp(payloadType: 33)))
    }

    static func file(_ path: String) -> Video { Video(path, sources: [Source(.file, path)]) }

    func pass(_ span: Nanoseconds) { now = now + span }

    /// Behind live, of 30 s.
    func stands(behind: Int64, progress: Int64 = 0) {
        var new = PlaybackPosition()
        new.behindLive = .milliseconds(behind)
        new.available = .seconds(30)
        new.progress = .milliseconds(progress)
        position = new
    }

    /// In a file of a minute.
    func stands(at progress: Int64) {
        var new = PlaybackPosition()
        new.progress = .milliseconds(progress)
        new.duration = .seconds(60)
        position = new
    }

    func put(_ inputs: PlaybackController.Input...) {
        for input in inputs {
            let context = PlaybackContext(now: now, position: position) { [offers] in offers[$0.location] }
            lines += controller.handle(input, in: context).map(Self.line)
        }
    }

    func seek(_ request: SeekRequest) {
        lastTicket += 1
        put(.seek(request, ticket: lastTicket))
    }

    /// Tuned, ready, playing.
    func plays(_ name: String) { plays(Self.channel(name)) }

    func plays(_ channel: Channel) {
        put(.tune(channel))
        let session = controller.lastSession
        put(.report(.ready(session: session, duration: nil)), .firstPicture(session: session, epoch: 0))
        stands(behind: 0)
        _ = taken
    }

    /// What was done since the last time, one line each.
    var taken: String {
        defer { lines = [] }
        return lines.joined(separator: "\n")
    }

    private static func line(_ action: PlaybackController.Action) -> String {
        switch action {
        case .open(let session): "OPEN \(session.id) \(text(session.source))"
        case .close(let session): "CLOSE \(session.id)"
        case .showSlate: "SLATE"
        case .perform(let session, let command): "\(text(command)) -> \(session)"
        case .answer(let ticket, .success(let outcome)): "answer \(ticket): \(text(outcome))"
        case .answer(let ticket, .failure(let error)): "answer \(ticket): \(error)"
        case .emit(let event): text(event)
        }
    }

    private static func text(_ source: SessionSource) -> String {
        switch source {
        case .live(let channel): channel.name
        case .file(let path): path
        }
    }

    private static func text(_ command: SessionCommand) -> String {
        switch command {
        case .play: "play"
        case .pause: "pause"
        case .seek(.behindLive(let span), let epoch): "seek live-\(span.milliseconds) epoch \(epoch)"
        case .seek(.position(let position), let epoch): "seek \(position.milliseconds) epoch \(epoch)"
        case .seek(.shifted(let step), let epoch): "seek by \(step.milliseconds) epoch \(epoch)"
        case .select(let choice):
            "select \(choice.program?.text ?? "default") \(choice.audioLanguage ?? "default")"
        case .setVisible(let visible): visible ? "visible" : "hidden"
        case .lengthenDelay(let delay): "delay \(delay.milliseconds)"
        case .steer(let rate): "steer \(rate.map { "\($0)" } ?? "not")"
        case .putOff(let span): "put off \(span.milliseconds)"
        }
    }

    private static func text(_ outcome: SeekOutcome) -> String {
        switch outcome {
        case .behindLive(let span): "live-\(span.milliseconds)"
        case .position(let position): "\(position.milliseconds)"
        }
    }

    private static func text(_ event: PlaybackEvent) -> String {
        switch event {
        case .channelState(let state, let name): "channelState \(state) \(name)"
        case .buffering(let buffers, let name): "buffering\(buffers ? "Active" : "Inactive") \(name)"
        case .currentChannelInvalid(let name): "currentChannelInvalid \(name)"
        case .streamUnsupported(let session, let what): "streamUnsupported \(session) \(what)"
        case .decoderChanged(let session, let opening): "decoder \(session) \(opening.tier)"
        case .programsChanged(let session, let programs): "programs \(session) \(programs.text)"
        case .session(let session, let event): "session \(session) \(text(event))"
        }
    }

    private static func text(_ event: SessionEvent) -> String {
        switch event {
        case .ready: "ready"
        case .play: "play"
        case .pause: "pause"
        case .end: "end"
        case .terminate: "terminate"
        case .fail(let failure): "fail \(failure.code) \(failure.why)"
        case .progress(let from, let to): "progress \(from.milliseconds)...\(to.milliseconds)"
        case .durationChanged(let duration): "duration \(duration.milliseconds)"
        case .cuePoints(let from, let to, let points):
            "cuePoints \(from.milliseconds)...\(to.milliseconds) \(points.points.map(\.kind).joined(separator: " "))"
        }
    }
}
