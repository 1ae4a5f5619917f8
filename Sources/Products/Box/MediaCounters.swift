// SPDX-License-Identifier: Apache-2.0
import Display
import JSON
import Mixing
import Playback
import Presentation
import Reception
import Venue

/// What the media threads have counted: of all, and of one region, whose session's are nil when it has none.
struct MediaCounters: Sendable {
    var reception: ReceptionCounters?
    var quality: StreamQuality?
    var playback: PlaybackCounters?
    var stage: StageCounters
    /// Nil where there is no screen to be.
    var screen: ScreenStatus?
    var sound: MixerCounters
    var screenText: ScreenTextCounters
    /// Before the others are mixed to it, and the sum's volume.
    var sessionSound: InputCounters?
    /// What the stage counted of the region since it has been there.
    var region: RegionCounters
    /// Of the moving picture and the screenshots.
    var pictures: PictureCounters

    /// Each group under its name, each counter under its own. What the stage says of one picture is of the region's.
    var json: JSONValue {
        var stage = stage
        stage.presentedPTS = region.presentedPTS
        stage.pictureErrorUs = region.pictureErrorUs
        let common: JSONValue = [
            "stage": members(of: stage), "sound": soundJSON, "screenText": members(of: screenText),
            "pictures": members(of: pictures), "pacing": pacing,
        ]
        return common.merging(patch: screenJSON).merging(patch: sessionJSON)
    }

    private var screenJSON: JSONValue {
        guard let screen else { return [:] }
        let one = json(of: screen)
        // All of them, where there are several.
        guard !screen.mirrors.isEmpty else { return ["screen": one] }
        return ["screen": one, "screens": .array([one] + screen.mirrors.map { json(of: $0) })]
    }

    private func json(of screen: ScreenStatus) -> JSONValue {
        var group = members(of: screen.counters)
        if let connector = screen.connector { group = group.merging(patch: ["connector": .string(connector)]) }
        if let mode = screen.mode { group = group.merging(patch: ["mode": .string(mode)]) }
        if let display = screen.display { group = group.merging(patch: ["display": .string(display)]) }
        if let why = screen.planeRefusal { group = group.merging(patch: ["planeRefusal": .string(why)]) }
        if let pin = screen.pinPassedOver { group = group.merging(patch: ["modePassedOver": .string(pin)]) }
        return group
    }

    private var soundJSON: JSONValue { members(of: sound).merging(patch: ["device": .string(sound.device)]) }

    private var pacing: JSONValue {
        var result = members(of: stage.pacing)
        if let pattern = stage.pacing.pattern { result["pattern"] = .string(pattern.description) }
        return result
    }

    /// The groups of the region and its session.
    var regionJSON: JSONValue {
        let shown: JSONValue = ["stage": members(of: region)]
        return shown.merging(patch: sessionJSON)
    }

    private var sessionJSON: JSONValue {
        var groups: [String: JSONValue] = [:]
        if let reception { groups["reception"] = members(of: reception) }
        if let quality { groups["quality"] = quality.json }
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
