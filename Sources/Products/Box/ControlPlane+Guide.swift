// SPDX-License-Identifier: Apache-2.0
import JSON
import LineUp
import Playback
import System
import Venue

/// The present and following programmes, as the received streams announce them.
extension ControlPlane {
    /// - Parameter session: the session that reported. A report is ignored unless this is its region's current session.
    func heard(_ heard: NowNext, in session: Int) {
        guard let current = regions.region(of: session)?.player.current, current.id == session,
            let id = current.source.channel?.id
        else { return }
        if nowNext.heard(heard, on: id) { tellNowNext(of: id) }
    }

    /// A channel that is left keeps its last programmes until they are over.
    var listening: SessionConsumer {
        SessionConsumer(
            "now and next",
            ended: { [unowned self] session, _, _ in
                if let id = session.source.channel?.id { nowNext.left(id) }
            })
    }

    /// Emits an event for each channel whose programmes have changed with time. Called once a second.
    func tellWhatIsOn() {
        for id in nowNext.tick(at: SystemClock.wall()) { tellNowNext(of: id) }
    }

    private func tellNowNext(of id: Channel.ID) {
        guard let entry = lineUp[id] else { return }
        let both = nowNext[id]
        emit(
            .channels, "nowNext",
            [
                "id": .string(id.text), "channel": .string(entry.name), "now": json(both?.now),
                "next": json(both?.next),
            ])
    }

    func json(_ broadcast: Broadcast?) -> JSONValue {
        guard let broadcast else { return .null }
        return [
            "title": .string(broadcast.title), "text": .string(broadcast.text),
            "language": broadcast.language.map { .string($0) } ?? .null,
            "start": broadcast.start.map { .string($0.description) } ?? .null,
            "localStart": broadcast.start.map { .string(media.zone.rules.text(of: $0)) } ?? .null,
            "durationMs": broadcast.duration.map { .integer($0.milliseconds) } ?? .null,
            "minimumAge": broadcast.minimumAge.map { .integer(Int64($0)) } ?? .null,
        ]
    }

    /// - Parameter text: name, id or number of a channel; nil for all channels of the line-up.
    func broadcasts(_ text: String?) -> Result<JSONValue, Status> {
        var wanted = lineUp.listed
        if let text {
            guard let entry = lineUp.entry(matching: text) else { return .failure(notListed(text)) }
            wanted = [entry]
        }
        let rows = wanted.flatMap { entry -> [JSONValue] in
            let both = nowNext[entry.id]
            return [("now", both?.now), ("next", both?.next)].compactMap { when, broadcast in
                guard let broadcast else { return nil }
                return json(broadcast).merging(patch: [
                    "number": .integer(Int64(entry.number)), "channel": .string(entry.name), "when": .string(when),
                    "id": .string(entry.id.text),
                ])
            }
        }
        return .success(["broadcasts": .array(rows)])
    }
}
