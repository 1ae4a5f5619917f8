// SPDX-License-Identifier: Apache-2.0
import Commands
import Control
import JSON
import Journal
import LineUp
import Playback
import Settings
import System
import Time
import Venue

extension ControlPlane: CommandHandler {
    var catalogue: Catalogue { Box.catalogue }

    func follow(dataChannel: String) -> Result<MessageFeed, Status> { dataChannels.follow(dataChannel) }

    func leave(_ feed: MessageFeed) { dataChannels.leave(feed) }

    func handle(_ request: CommandRequest, answer: @escaping (Result<JSONValue, Status>) -> Void) {
        if features.handle(request, answer: answer) { return }
        do throws(Status) {
            let session = request.integer("session").map { Int(clamping: $0) }
            let region = try regions.addressed(region: request.text("region"), session: session)
            handle(request, in: region, answer: answer)
        } catch {
            answer(.failure(error))
        }
    }

    private func handle(
        _ request: CommandRequest, in region: RegionPlayer, answer: @escaping (Result<JSONValue, Status>) -> Void
    ) {
        switch request.command {
        case "status": answer(.success(status))
        case "channels": answer(.success(listedChannels(request)))
        case "streamers": answer(.success(streamers))
        case "tune": answer(tune(request.text("channel") ?? "", in: region))
        case "channel-up": answer(zap(.up, in: region))
        case "channel-down": answer(zap(.down, in: region))
        case "stop":
            regions.stop(region)
            answer(.success([:]))
        case "stats": answer(.success(statistics(request, in: region)))
        case "screenshot": takeScreenshot(answer)
        case "version": answer(.success(["version": .string(Build.version), "build": .string(Build.id)]))
        case "shutdown":
            answer(.success([:]))
            onShutdown()
        default:
            if handlePlayback(request, in: region, answer: answer) { return }
            if let result = handleStage(request) { return answer(result) }
            answer(.failure(.failure(.usage, "command '\(request.command)' is not one of this service")))
        }
    }

    private var status: JSONValue {
        let (player, current, now) = (main.player, main.player.current, SystemClock.wall())
        return [
            "boxId": .string(boxID), "boxName": .string(settings.boxName),
            "version": .string(Build.version), "address": .string(address),
            "uptimeMs": .integer((SystemClock.monotonic() - started).milliseconds),
            "serviceState": .string(health.snapshot.state.name),
            "serviceReason": health.snapshot.state.reasons.names.first.map { .string($0) } ?? .null,
            "channel": current.map { .string($0.name) } ?? .null,
            "session": current.map { .integer(Int64($0.id)) } ?? .null,
            "playerState": current.map { .string($0.state.rawValue) } ?? .null,
            "isOpen": .bool(player.isOpen), "isPlaying": .bool(player.isPlaying),
            "isPaused": .bool(current?.isPaused ?? false), "isVisible": .bool(player.isVisible),
            "isBackgroundPlaybackAllowed": .bool(player.isBackgroundPlaybackAllowed),
            "volume": .integer(Int64(volume.level)), "isMuted": .bool(volume.isMuted),
            "channelCount": .integer(Int64(lineUp.channels.count)),
            "streamerCount": .integer(Int64(lineUp.streamers.count)),
            "layout": .string(layout.shown.stage.name),
            "output": .string("\(settings.output.kind.rawValue) \(settings.output.width)x\(settings.output.height)"),
            "httpPort": httpPort.map { .integer(Int64($0)) } ?? .null,
            "time": .string(now.description), "localTime": .string(zone.rules.text(of: now)),
        ]
    }

    private var streamers: JSONValue {
        let now = SystemClock.monotonic()
        return [
            "streamers": .array(
                lineUp.streamers.map { streamer in
                    var entry = streamer.json
                    entry["sinceLastHeardMs"] = .integer((now - streamer.lastHeard).milliseconds)
                    entry["sinceFirstHeardMs"] = .integer((now - streamer.firstHeard).milliseconds)
                    return entry
                })
        ]
    }
}
