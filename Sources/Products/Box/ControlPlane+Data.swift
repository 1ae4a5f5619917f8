// SPDX-License-Identifier: Apache-2.0
import Commands
import Control
import JSON
import Settings
import System
import Time
import Venue

/// Data channels, their followers, and the messages that the box itself consumes.
extension ControlPlane {
    func startData() {
        data.onEvent = { [unowned self] name, channel in
            emit(.data, name, ["id": .string(channel.id.text), "channel": .string(channel.name)])
        }
        data.onMessage = { [unowned self] feed in onMessage(feed) }
        let consumers = DataConsumers(settings.data, handler: self, log: log.data)
        dataConsumers = consumers
        data.onConsumed = { consumer, delivery in consumers.consume(delivery, as: consumer.kind) }
        data.start()
        data.lineUpChanged(lineUp.listed)
    }

    func follow(dataChannel: String) -> Result<MessageFeed, Status> { data.follow(dataChannel) }

    func leave(_ feed: MessageFeed) { data.leave(feed) }

    /// - Parameter text: name or id of a channel; nil for all data channels.
    func dataChannels(_ text: String?) -> Result<JSONValue, Status> {
        var listed = lineUp.listed.filter { $0.kind == .data }
        if let text {
            guard let entry = lineUp.entry(matching: text), entry.kind == .data else {
                let known = listed.map(\.name).prefix(8).joined(separator: ", ")
                return .failure(
                    .failure(
                        .failed,
                        "data channel '\(text)' is not in the line-up: expected one of \(known.isEmpty ? "none" : known)"
                    ))
            }
            listed = [entry]
        }
        let now = SystemClock.monotonic()
        return .success(["channels": .array(listed.map { data.row(of: $0, at: now) })])
    }
}
