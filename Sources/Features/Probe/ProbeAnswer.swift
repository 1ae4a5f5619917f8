// SPDX-License-Identifier: Apache-2.0
import Containers
import Shapes

/// What a file, a URL or a group is, and whether the box plays it.
struct ProbeAnswer: Answer {
    /// One stream of it.
    struct Row: Answer {
        let stream: MediaDescription.Stream
        let decoder: String?

        static let shape = Shape<Self>([
            .value("kind", \.stream.kind, .text, "video, audio, subtitle, data or other"),
            .value("codec", \.stream.codec, .text, "libavcodec's name"),
            .value("profile", \.stream.profile, .optional(.text), "of the codec; null: none, or not known"),
            .value("width", \.stream.width, .count, "pixels; 0 but for video"),
            .value("height", \.stream.height, .count, "likewise"),
            .computed("rate", .optional(.number), "pictures a second; null but for video of a known rate") { row in
                row.stream.pictureRate.map { ($0 * 1_000).rounded() / 1_000 }
            },
            .value(
                "sampleRate", \.stream.sampleRate, .count, shownAs: FieldDisplay(title: "samples"),
                "samples a second; 0 but for audio"),
            .value("channels", \.stream.channels, .count, "of sound; 0 but for audio"),
            .value("language", \.stream.language, .optional(.text), "ISO 639; null: not stated"),
            .computed(
                "isCarried", .boolean, shownAs: FieldDisplay(title: "plays"),
                "whether the box plays streams of this codec"
            ) { $0.stream.played != nil },
            .value(
                "decoder", \.decoder, .optional(.text),
                "what would decode it now: a device's path, or software and why no device does; null but for video"),
        ])
    }

    let description: MediaDescription
    /// nil if the box plays it; else why not.
    let reason: String?
    /// What would decode each stream now.
    var decoders: [String?] = []

    static let shape = Shape<Self>([
        .computed("container", .text, "what it is, by libavformat") { $0.description.container },
        .computed("durationMs", .optional(.count), "its length; null: not known, or endless") { answer in
            answer.description.duration.map { Int($0 / 90) }
        },
        .computed("bitsPerSecond", .optional(.count), "of all of it; null: not known") { answer in
            answer.description.bitsPerSecond.map { Int($0) }
        },
        .computed("streams", .list(of: .row), "its streams") { answer in
            answer.description.streams.enumerated().map { index, stream in
                Row(stream: stream, decoder: index < answer.decoders.count ? answer.decoders[index] : nil)
            }
        },
        .computed("isPlayable", .boolean, "whether the box plays it") { $0.reason == nil },
        .computed(
            "conclusion", .text, shownAs: FieldDisplay(style: .conclusion), "whether it plays, or why not"
        ) { $0.reason ?? "The box plays it." },
    ])
}
