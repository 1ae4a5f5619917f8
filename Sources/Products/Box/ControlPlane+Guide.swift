// SPDX-License-Identifier: Apache-2.0
import JSON
import LineUp
import Playback
import System
import Venue

/// What is on now and next, by the streams that were heard.
extension ControlPlane {
    /// - Parameter session: that of the report; what another one heard is of no channel that we know.
    func heard(_ heard: NowNext, in session: Int) {
        guard let current = playing[session]?.player.current, current.id == session, let id = current.source.channel?.id
        else { return }
        if nowNext.heard(heard, on: id) { tellNowNext(of: id) }
    }

    /// A channel that is left keeps what it said last until that is over.
    var listening: SessionConsumer {
        SessionConsumer(
            "now and next",
            ended: { [unowned self] session, _ in
                if let id = session.source.channel?.id { nowNext.left(id) }
            })
    }

    /// Once a second.
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

    /// - Parameter text: what names a channel; nil: of all that are shown.
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
