// SPDX-License-Identifier: Apache-2.0
import Commands
import Control
import DataChannels
import JSON
import Venue

extension ControlPlane: CommandHandler {
    var catalogue: Catalogue { Box.catalogue }

    func follow(dataChannel: String) -> Result<MessageFeed, Status> { dataChannels.follow(dataChannel) }

    func leave(_ feed: MessageFeed) { dataChannels.leave(feed) }

    func handle(_ request: CommandRequest, answer: @escaping (Result<JSONValue, Status>) -> Void) {
        if features.handle(request, answer: answer) { return }
        answer(.failure(.failure(.usage, "command '\(request.command)' is not one of this service")))
    }
}
