// SPDX-License-Identifier: Apache-2.0
import Commands
import Control
import JSON
import Playback
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
        case "tune": answer(tune(request.text("channel") ?? "", in: region))
        case "channel-up": answer(zap(.up, in: region))
        case "channel-down": answer(zap(.down, in: region))
        case "stop":
            regions.stop(region)
            answer(.success([:]))
        case "screenshot": takeScreenshot(answer)
        default:
            if handlePlayback(request, in: region, answer: answer) { return }
            if let result = handleStage(request) { return answer(result) }
            answer(.failure(.failure(.usage, "command '\(request.command)' is not one of this service")))
        }
    }
}
