// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Playback
import Shapes
import Venue

struct ShowPosition: Command {
    var region: String?

    static let about = About("position", "Show where the playback clock is")
    static let shape = Shape<Self>([.region(\.region)])

    func run(on tuning: Tuning) throws(Status) -> PositionAnswer {
        let session = try tuning.playing(in: region).session
        let position = tuning.regions.environment.position(session.id) ?? PlaybackPosition()
        return PositionAnswer(session: session, position: position)
    }
}

struct PositionAnswer: Answer {
    let session: PlayingSession
    let position: PlaybackPosition

    static let shape = Shape<Self>([
        .value("session", \.session.id, .integer, "number of the session"),
        .value("channel", \.session.name, .text, "name of what plays"),
        .value("offsetMs", \.position.behindLive.milliseconds, .integer, "behind live; 0 for files"),
        .value(
            "availableMs", \.position.available.milliseconds, .integer,
            "how far behind live the history reaches; 0 for files"),
        .value("progressMs", \.position.progress.milliseconds, .integer, "from the beginning of the file or session"),
        .value(
            "durationMs", \.position.duration?.milliseconds, .optional(.integer),
            "of a file; null: live or not known"),
        .value("isPaused", \.session.isPaused, .boolean, "by command"),
        .detail(
            "delivery", \.session.origin?.delivery.rawValue, .optional(.text),
            "of the source that was chosen of a playlist's item; null: a channel that was tuned"),
        .detail("properties", \.properties, .anything, "of what plays, as its author noted them"),
        .detail(
            "sourceProperties", \.sourceProperties, .anything, "of the source that was chosen, likewise"),
    ])

    private var properties: JSONValue { .object(session.video.properties) }
    private var sourceProperties: JSONValue { .object(session.origin?.properties ?? [:]) }
}

struct ListStreams: Command {
    var region: String?

    static let about = About("streams", "List the streams of what plays")
    static let shape = Shape<Self>([.region(\.region)])

    func run(on tuning: Tuning) throws(Status) -> StreamList {
        StreamList(streams: try tuning.playing(in: region).session.streams.map { StreamRow(stream: $0) })
    }
}

struct StreamList: Answer {
    let streams: [StreamRow]

    static let shape = Shape<Self>([.value("streams", \.streams, .list(of: .row), "in the order of the source")])
}

struct StreamRow: Answer {
    let stream: StreamInfo

    static let shape = Shape<Self>([
        .value("program", \.stream.program, .integer, "program number"),
        .value("pid", \.stream.pid, .integer, "PID in the transport stream, or index in a file"),
        .value("codec", \.stream.codec, .text, "how it is coded"),
        .value("language", \.stream.language, .optional(.text), "ISO 639-2 code, or null"),
        .detail(
            "listedCodec", \.stream.listedCodec, .optional(.text),
            "what the program map says it is, where that is wrong; null: it is right"),
        .detail("isAbsent", \.stream.isAbsent, .boolean, "whether the program map lists it and nothing comes"),
        .value("isPlayed", \.stream.isPlayed, .boolean, "whether it is shown or heard"),
    ])
}

struct SetVisible: Command {
    var state = Switch.on
    var region: String?

    static let about = About(
        "visible", "Say whether the picture is to be seen",
        help: "Hidden, it is paused, or only heard with background on.", role: .operator, example: "on")
    static let shape = Shape<Self>([.argument("state", \.state, .choice, "Which."), .region(\.region)])

    func run(on tuning: Tuning) throws(Status) -> Done {
        let region = try tuning.regions.addressed(region: region)
        region.isWished = state == .on
        tuning.regions.applyVisibility(of: region)
        return Done()
    }
}

struct SetBackground: Command {
    var state = Switch.off
    var region: String?

    static let about = About(
        "background", "Allow sound while the picture is hidden", help: "Off at start; takes effect at once.",
        role: .operator, example: "off")
    static let shape = Shape<Self>([.argument("state", \.state, .choice, "Which."), .region(\.region)])

    func run(on tuning: Tuning) throws(Status) -> Done {
        let region = try tuning.regions.addressed(region: region)
        tuning.regions.control(.setBackgroundPlayback(state == .on), in: region)
        return Done()
    }
}
