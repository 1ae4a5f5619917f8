// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Playback
import Programming
import Settings
import Time
import Venue

/// The commands to the session that plays.
extension ControlPlane {
    /// - Returns: false when the command is none of these.
    func handlePlayback(
        _ request: CommandRequest, answer: @escaping (Result<JSONValue, Status>) -> Void
    ) -> Bool {
        if let session = request.integer("session"), !player.accepts(session: Int(clamping: session)) {
            let current = player.current.map { "\($0.id)" } ?? "none"
            answer(.failure(.failure(.failed, "session \(session) is discarded: expected the open one (\(current))")))
            return true
        }
        let span = Nanoseconds.milliseconds(request.integer("ms") ?? 0)
        let isOn = request.text("state") == "on"
        switch request.command {
        case "play": answer(done { control(.play) })
        case "pause": answer(done { control(.pause) })
        case "seek-absolute": seek(.absolute(span), answer)
        case "seek-relative": seek(.relative(span), answer)
        case "rewind": seek(.rewind(span), answer)
        case "live": seek(.live, answer)
        case "next": answer(next())
        case "playlist": answer(playPlaylist(request.text("name") ?? ""))
        case "playlists": answer(.success(playlists))
        case "volume": answer(setSound(level: request.integer("volume").map { Int(clamping: $0) }))
        case "mute": answer(setSound(isMuted: isOn))
        case "audio":
            let language = request.text("language")
            answer(done { control(.selectAudio(language: language == "default" ? nil : language)) })
        case "program": answer(selectProgram(request.integer("program").map { UInt16(clamping: $0) }))
        case "position": answer(position)
        case "streams": answer(streams)
        case "visible": answer(done { control(.setVisible(isOn)) })
        case "background": answer(done { control(.setBackgroundPlayback(isOn)) })
        default: return false
        }
        return true
    }

    private static let nothingPlays = Status.failure(.failed, "nothing plays: expected a tuned channel or a playlist")

    private func done(_ act: () -> Void) -> Result<JSONValue, Status> {
        act()
        return .success([:])
    }

    private func seek(_ request: SeekRequest, _ answer: @escaping (Result<JSONValue, Status>) -> Void) {
        let ticket = nextTicket()
        seekAnswers[ticket] = { result in
            switch result {
            case .success(.behindLive(let span)): answer(.success(["offsetMs": .integer(span.milliseconds)]))
            case .success(.position(let position)): answer(.success(["positionMs": .integer(position.milliseconds)]))
            case .failure(.noSession): answer(.failure(Self.nothingPlays))
            case .failure(.interrupted): answer(.failure(.failure(.failed, "interrupted by another seek")))
            case .failure(.timedOut): answer(.failure(.failure(.failed, "no picture came of it within 5 s")))
            case .failure(.sessionEnded): answer(.failure(.failure(.failed, "the session was closed meanwhile")))
            }
        }
        control(.seek(request, ticket: ticket))
    }

    private func next() -> Result<JSONValue, Status> {
        guard player.hasNext else { return .failure(.failure(.failed, "the playlist has no next item")) }
        control(.advanceToNext)
        return .success(["channel": playing])
    }

    private func playPlaylist(_ name: String) -> Result<JSONValue, Status> {
        guard let playlist = settings.playlists.first(where: { $0.name == name }) else {
            let known = settings.playlists.map(\.name).prefix(8).joined(separator: ", ")
            return .failure(
                .failure(
                    .failed,
                    "playlist '\(name)' is not in the settings: expected one of \(known.isEmpty ? "none" : known)"))
        }
        awaitsAutoTune = nil
        tunedPlaylist = .playlist(name)
        control(.setVideos(playlist.videos))
        return .success(["channel": playing])
    }

    private var playing: JSONValue { player.current.map { .string($0.name) } ?? .null }

    private var playlists: JSONValue {
        [
            "playlists": .array(
                settings.playlists.map { ["name": .string($0.name), "items": .integer(Int64($0.videos.count))] })
        ]
    }

    /// What is nil stays.
    private func setSound(level: Int? = nil, isMuted: Bool? = nil) -> Result<JSONValue, Status> {
        let before = volume
        if let level { volume.level = level }
        if let isMuted { volume.isMuted = isMuted }
        let now: JSONValue = ["volume": .integer(Int64(volume.level)), "isMuted": .bool(volume.isMuted)]
        if volume != before {
            media.setVolume(volume.level)
            media.setMuted(volume.isMuted)
            emit(.sound, "volume", now)
        }
        return .success(now)
    }

    private func selectProgram(_ program: UInt16?) -> Result<JSONValue, Status> {
        guard player.isOpen else { return .failure(Self.nothingPlays) }
        return done { control(.selectProgram(program)) }
    }

    private var position: Result<JSONValue, Status> {
        guard let session = player.current else { return .failure(Self.nothingPlays) }
        let position = media.position ?? PlaybackPosition()
        return .success([
            "session": .integer(Int64(session.id)), "channel": .string(session.name),
            "offsetMs": .integer(position.behindLive.milliseconds),
            "availableMs": .integer(position.available.milliseconds),
            "progressMs": .integer(position.progress.milliseconds),
            "durationMs": position.duration.map { .integer($0.milliseconds) } ?? .null,
            "isPaused": .bool(session.isPaused),
        ])
    }

    private var streams: Result<JSONValue, Status> {
        guard let session = player.current else { return .failure(Self.nothingPlays) }
        let listed = session.streams.map { stream -> JSONValue in
            [
                "program": .integer(Int64(stream.program)), "pid": .integer(Int64(stream.pid)),
                "codec": .string(stream.codec), "language": stream.language.map { .string($0) } ?? .null,
                "isPlayed": .bool(stream.isPlayed),
            ]
        }
        return .success(["streams": .array(listed)])
    }
}
