// SPDX-License-Identifier: Apache-2.0
import JSON
import Journal
import Playback
import Venue

/// The reception quality of the channels that play.
extension ControlPlane {
    /// Emits an event for faults that became an alarm or ceased to be one. Called once a second.
    func tellQuality(of region: RegionPlayer) {
        guard let session = region.player.current, let channel = session.source.channel,
            let quality = media.quality(of: session.id)
        else { return }
        let before = alarms[session.id] ?? []
        alarms[session.id] = quality.alarms
        guard quality.alarms != before else { return }
        let (raised, cleared) = (quality.alarms.subtracting(before), before.subtracting(quality.alarms))
        var payload: JSONValue = [
            "id": .string(channel.id.text), "channel": .string(channel.name), "session": .integer(Int64(session.id)),
            "alarms": quality.alarms.json, "raised": raised.json, "cleared": cleared.json,
            "shortLossPPM": .integer(quality.shortLossPPM),
        ]
        if !region.isMain { payload["region"] = .string(region.name) }
        log.playback(
            raised.isEmpty ? .notice : .warning, "quality",
            [
                "channel": channel.name, "raised": raised.members.map(\.name).joined(separator: ","),
                "cleared": cleared.members.map(\.name).joined(separator: ","),
            ])
        emit(.channels, "quality", payload)
    }
}
