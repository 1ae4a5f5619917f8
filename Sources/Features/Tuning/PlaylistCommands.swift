// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Programming
import Shapes
import Venue

struct PlayNext: Command {
    var region: String?

    static let about = About("next", "Go to the next of the playlist", role: .operator)
    static let shape = Shape<Self>([.region(\.region)])

    func run(on tuning: Tuning) throws(Status) -> OpenedVideo {
        let region = try tuning.regions.addressed(region: region)
        guard region.player.hasNext else { throw .failure(.failed, "the playlist has no next item") }
        tuning.regions.control(.advanceToNext, in: region)
        return OpenedVideo(channel: region.player.current?.name)
    }
}

struct PlayPlaylist: Command {
    var name = ""
    var region: String?

    static let about = About(
        "playlist", "Play a playlist", help: "Without playback.autoPlay it waits for the command play.",
        role: .operator)
    static let shape = Shape<Self>([
        .argument("name", \.name, .text(1...64), names: "playlists", "Name of a playlist of the settings."),
        .region(\.region),
    ])

    func run(on tuning: Tuning) throws(Status) -> OpenedVideo {
        let region = try tuning.regions.addressed(region: region)
        try tuning.play(playlist: name, in: region)
        return OpenedVideo(channel: region.player.current?.name)
    }
}

struct OpenedVideo: Answer {
    let channel: String?

    static let shape = Shape<Self>([
        .value("channel", \.channel, .optional(.text), "name of what is opened, or null")
    ])
}

struct ListPlaylists: Command {
    static let about = About(
        "playlists", "List the playlists of the settings", example: "",
        clientOptions: [.clientOption("names", .boolean, "Print names only, one a line.")])
    static let shape = Shape<Self>()

    func run(on tuning: Tuning) throws(Status) -> PlaylistList {
        PlaylistList(playlists: tuning.playlists.map { PlaylistRow(playlist: $0) })
    }
}

struct PlaylistList: Answer {
    let playlists: [PlaylistRow]

    static let shape = Shape<Self>([.value("playlists", \.playlists, .list(of: .row), "in the order of the settings")])
}

struct PlaylistRow: Answer {
    let playlist: Playlist

    static let shape = Shape<Self>([
        .value("name", \.playlist.name, .text, "key of the command playlist"),
        .value("items", \.playlist.videos.count, .count, "how many"),
        .detail("properties", \.properties, .anything, "as its author noted them"),
        .detail("videos", \.videos, .list(of: .row), "its items, in order"),
    ])

    private var properties: JSONValue { .object(playlist.properties) }
    private var videos: [VideoRow] { playlist.videos.map { VideoRow(video: $0) } }
}

struct VideoRow: Answer {
    let video: Video

    static let shape = Shape<Self>([
        .value("name", \.video.name, .text, "title, or else the channel, file or location"),
        .value("sources", \.sources, .list(of: .row), "where it can be had, in the order of the settings"),
        .value("cuePoints", \.video.cuePoints.points.count, .count, "how many"),
        .value("properties", \.properties, .anything, "as its author noted them"),
    ])

    private var sources: [SourceRow] { video.sources.map { SourceRow(source: $0) } }
    private var properties: JSONValue { .object(video.properties) }
}

struct SourceRow: Answer {
    let source: Source

    static let shape = Shape<Self>([
        .value("delivery", \.source.delivery.rawValue, .text, "HLS, MP4, MULTICAST, FILE or RTP"),
        .value("location", \.source.location, .text, "name of a channel, path of a file, or URL"),
        .value("properties", \.properties, .anything, "as its author noted them"),
    ])

    private var properties: JSONValue { .object(source.properties) }
}
