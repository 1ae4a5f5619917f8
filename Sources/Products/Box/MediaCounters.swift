// SPDX-License-Identifier: Apache-2.0
import JSON
import Mixing
import Playback
import Presentation
import Reception

/// What the media threads have counted; the tuned channel's are nil when there is none.
struct MediaCounters: Sendable {
    var reception: ReceptionCounters?
    var playback: PlaybackCounters?
    var stage: StageCounters
    var sound: MixerCounters
    /// Before the others are mixed to it, and the sum's volume.
    var sessionSound: InputCounters?
    /// Of the moving picture and the screenshots.
    var pictures: PictureCounters

    /// Each group under its name, each counter under its own.
    var json: JSONValue {
        var groups: [String: JSONValue] = [
            "stage": members(of: stage), "sound": members(of: sound), "pictures": members(of: pictures),
        ]
        if let reception { groups["reception"] = members(of: reception) }
        if let playback { groups["playback"] = members(of: playback) }
        if let sessionSound {
            let level: JSONValue = [
                "peakCentidecibels": .integer(Int64(sessionSound.level.peak)),
                "rmsCentidecibels": .integer(Int64(sessionSound.level.rms)),
            ]
            groups["sessionSound"] = members(of: sessionSound).merging(patch: level)
        }
        return .object(groups)
    }
}

/// The integers of a counter struct by their names, so that a counter is named in one place only.
func members(of counters: some Sendable) -> JSONValue {
    var result: [String: JSONValue] = [:]
    for child in Mirror(reflecting: counters).children {
        guard let name = child.label, let value = child.value as? any FixedWidthInteger else { continue }
        result[name] = .integer(Int64(clamping: value))
    }
    return .object(result)
}
