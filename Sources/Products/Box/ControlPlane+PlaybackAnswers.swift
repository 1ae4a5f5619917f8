// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Playback
import Programming
import Settings
import Time
import Venue

/// The commands that concern playback in a region.
extension ControlPlane {
    /// - Returns: false if the command is not about playback.
    func handlePlayback(
        _ request: CommandRequest, in region: RegionPlayer, answer: @escaping (Result<JSONValue, Status>) -> Void
    ) -> Bool {
        let span = Nanoseconds.milliseconds(request.integer("ms") ?? 0)
        let isOn = request.text("state") == "on"
        if Self.transport.contains(request.command), region.isMain, region.player.isOpen {
            media.write(.transportAsked)
        }
        switch request.command {
        case "play": answer(done { regions.control(.play, in: region) })
        case "pause": answer(done { regions.control(.pause, in: region) })
        case "seek-absolute": seek(.absolute(span), in: region, answer)
        case "seek-relative": seek(.relative(span), in: region, answer)
        case "rewind": seek(.rewind(span), in: region, answer)
        case "live": seek(.live, in: region, answer)
        case "next": answer(next(in: region))
        case "playlist": answer(playPlaylist(request.text("name") ?? "", in: region))
        case "playlists": answer(.success(playlists))
        case "volume": answer(setVolume(request, of: region))
        case "mute": answer(setMuted(isOn, request, of: region))
        case "audio-region": answer(.success(hearOnly(region)))
        case "audio": answer(selectAudio(request, in: region))
        case "program":
            answer(selectProgram(request.integer("program").map { UInt16(clamping: $0) }, in: region))
        case "position": answer(position(in: region))
        case "streams": answer(streams(in: region))
        case "visible":
            region.isWished = isOn
            answer(done { regions.applyVisibility(of: region) })
        case "background": answer(done { regions.control(.setBackgroundPlayback(isOn), in: region) })
        default: return false
        }
        return true
    }

    /// Commands that show the transport bar: whoever plays, pauses or seeks is shown where they are (SVM-68).
    private static let transport: Set = ["play", "pause", "seek-absolute", "seek-relative", "rewind", "live"]

    private static let nothingPlays = Status.failure(.failed, "nothing plays: expected a tuned channel or a playlist")

    private func done(_ act: () -> Void) -> Result<JSONValue, Status> {
        act()
        return .success([:])
    }

    private func seek(
        _ request: SeekRequest, in region: RegionPlayer, _ answer: @escaping (Result<JSONValue, Status>) -> Void
    ) {
        regions.seek(request, in: region) { result in
            switch result {
            case .success(.behindLive(let span)): answer(.success(["offsetMs": .integer(span.milliseconds)]))
            case .success(.position(let position)): answer(.success(["positionMs": .integer(position.milliseconds)]))
            case .failure(.noSession): answer(.failure(Self.nothingPlays))
            case .failure(.interrupted): answer(.failure(.failure(.failed, "interrupted by another seek")))
            case .failure(.timedOut): answer(.failure(.failure(.failed, "no picture came of it within 5 s")))
            case .failure(.sessionEnded): answer(.failure(.failure(.failed, "the session was closed meanwhile")))
            }
        }
    }

    private func next(in region: RegionPlayer) -> Result<JSONValue, Status> {
        guard region.player.hasNext else { return .failure(.failure(.failed, "the playlist has no next item")) }
        regions.control(.advanceToNext, in: region)
        return .success(["channel": title(of: region)])
    }

    private func playPlaylist(_ name: String, in region: RegionPlayer) -> Result<JSONValue, Status> {
        guard let playlist = settings.playlists.first(where: { $0.name == name }) else {
            let known = settings.playlists.map(\.name).prefix(8).joined(separator: ", ")
            return .failure(
                .failure(
                    .failed,
                    "playlist '\(name)' is not in the settings: expected one of \(known.isEmpty ? "none" : known)"))
        }
        if let lock { return .failure(lock) }
        guard regions.admitsSession(in: region) else { return .failure(regions.sessionLimitReached) }
        region.awaitsChannel = nil
        region.tunedPlaylist = .playlist(name)
        regions.control(.setVideos(playlist.videos), in: region)
        return .success(["channel": title(of: region)])
    }

    private func title(of region: RegionPlayer) -> JSONValue {
        region.player.current.map { .string($0.name) } ?? .null
    }

    private var playlists: JSONValue {
        [
            "playlists": .array(
                settings.playlists.map { ["name": .string($0.name), "items": .integer(Int64($0.videos.count))] })
        ]
    }

    private func selectProgram(_ program: UInt16?, in region: RegionPlayer) -> Result<JSONValue, Status> {
        guard region.player.isOpen else { return .failure(Self.nothingPlays) }
        return done { regions.control(.selectProgram(program), in: region) }
    }

    private func position(in region: RegionPlayer) -> Result<JSONValue, Status> {
        guard let session = region.player.current else { return .failure(Self.nothingPlays) }
        let position = media.position(of: session.id) ?? PlaybackPosition()
        return .success([
            "session": .integer(Int64(session.id)), "channel": .string(session.name),
            "offsetMs": .integer(position.behindLive.milliseconds),
            "availableMs": .integer(position.available.milliseconds),
            "progressMs": .integer(position.progress.milliseconds),
            "durationMs": position.duration.map { .integer($0.milliseconds) } ?? .null,
            "isPaused": .bool(session.isPaused),
        ])
    }

    private func streams(in region: RegionPlayer) -> Result<JSONValue, Status> {
        guard let session = region.player.current else { return .failure(Self.nothingPlays) }
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
