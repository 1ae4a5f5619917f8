// SPDX-License-Identifier: Apache-2.0
import Commands
import Mixing
import Shapes
import Venue

struct SetVolume: Command {
    var volume = 0
    var region: String?

    static let about = About(
        "volume", "Set the volume",
        help: "Of all together; with --region of one before it is mixed, which is heard then.", role: .operator,
        example: "40")
    static let shape = Shape<Self>([
        .argument("volume", \.volume, .integer(0...100), "0 is silent."),
        .option("region", \.region, .absentOr(.text(1...32)), names: "regions", heardRegion),
    ])

    func run(on audio: Audio) throws(Status) -> SoundState {
        try audio.change(region) { sound in sound = RegionSound(level: volume, isMuted: region == nil && sound.isMuted)
        }
    }
}

struct SetMuted: Command {
    var state = Switch.off
    var region: String?

    static let about = About(
        "mute", "Silence the sound", help: "Of all together; with --region of one.", role: .operator, example: "off")
    static let shape = Shape<Self>([
        .argument("state", \.state, .choice, "Which."),
        .option("region", \.region, .absentOr(.text(1...32)), names: "regions", heardRegion),
    ])

    func run(on audio: Audio) throws(Status) -> SoundState {
        try audio.change(region) { sound in sound.isMuted = state == .on }
    }
}

struct ChooseLanguage: Command {
    var language = ""
    var region: String?

    static let about = About(
        "audio", "Choose the language of the sound", help: "For all sessions until the service ends.", role: .operator,
        example: "default")
    static let shape = Shape<Self>([
        .argument("language", \.language, .text(1...8), "ISO 639-2 code, or default: the first."),
        .option("region", \.region, .absentOr(.text(1...32)), names: "regions", "Only in this region."),
    ])

    func run(on audio: Audio) throws(Status) -> Done {
        try audio.choose(language == "default" ? nil : language, in: region)
        return Done()
    }
}

struct HearRegion: Command {
    var region = ""

    static let about = About(
        "audio-region", "Hear one region of the stage", help: "The others are muted.", role: .operator, example: "main")
    static let shape = Shape<Self>([
        .argument("region", \.region, .text(1...32), names: "regions", "The one that is heard.")
    ])

    func run(on audio: Audio) throws(Status) -> SoundState {
        let region = try audio.regions.addressed(region: region)
        return SoundState(audio.sounds.hearOnly(region.name), of: region.name)
    }
}

private let heardRegion = "Of the stage; absent: all together."
