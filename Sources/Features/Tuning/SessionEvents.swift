// SPDX-License-Identifier: Apache-2.0
import Hosting
import JSON
import Playback
import Programming
import Shapes
import Time

/// The payload of events that only say the session (PLAY-15).
struct SessionMoment: Answer {
    let session: Int
    let region: String?

    static let ready = EventAbout(.session, "ready", "The streams of the source are known.")
    static let play = EventAbout(.session, "play", "Pictures or sound advance.")
    static let pause = EventAbout(.session, "pause", "The picture is held.")
    static let end = EventAbout(.session, "end", "The source was played to its end.")
    static let terminate = EventAbout(.session, "terminate", "The session is closed.", outlivesSession: true)
    static let shape = Shape<Self>([.ofSession(\.session), .inRegion(\.region)])
}

/// A session plays in another region than before (SVM-55).
struct SessionMoved: FeatureEvent {
    let session: Int
    let from: String
    let region: String?

    static let about = EventAbout(.session, "move", "The session goes on in another region.")
    static let shape = Shape<Self>([
        .ofSession(\.session), .value("from", \.from, .text, "the region that it has left"), .inRegion(\.region),
    ])
}

struct SessionFailed: FeatureEvent {
    let session: Int
    let failure: PlaybackFailure
    let region: String?

    static let about = EventAbout(.session, "fail", "The session cannot go on.", outlivesSession: true)
    static let shape = Shape<Self>([
        .ofSession(\.session), .value("code", \.failure.code.rawValue, .text, "what kind of failure"),
        .value("why", \.failure.why, .text, "the reason"), .inRegion(\.region),
    ])
}

struct SessionProgress: FeatureEvent {
    let session: Int
    let from: Nanoseconds
    let to: Nanoseconds
    let region: String?

    static let about = EventAbout(.session, "progress", "Playback has advanced, or a seek has moved it.")
    static let shape = Shape<Self>([
        .ofSession(\.session), .previousTime(\.from), .currentTime(\.to), .inRegion(\.region),
    ])
}

struct DurationChanged: FeatureEvent {
    let session: Int
    let duration: Nanoseconds
    let region: String?

    static let about = EventAbout(.session, "durationChanged", "The duration of the file is known.")
    static let shape = Shape<Self>([
        .ofSession(\.session), .value("durationMs", \.duration.milliseconds, .integer, "of the file"),
        .inRegion(\.region),
    ])
}

/// The cue points between two progress events (PLAY-16, 17).
struct CuePointsPassed: FeatureEvent {
    struct Point: Answer {
        let point: CuePoint

        static let shape = Shape<Self>([
            .value("timeMs", \.point.position.milliseconds, .integer, "from the beginning"),
            .value("kind", \.point.kind, .text, "of the settings"),
            .value("properties", \.properties, .anything, "of the settings"),
        ])

        private var properties: JSONValue { .object(point.properties) }
    }

    let session: Int
    let from: Nanoseconds
    let to: Nanoseconds
    let passed: [CuePoint]
    let region: String?

    private var points: [Point] { passed.map { Point(point: $0) } }

    static let about = EventAbout(.session, "cuePoints", "Cue points were passed, by playing or by a seek.")
    static let shape = Shape<Self>([
        .ofSession(\.session), .previousTime(\.from), .currentTime(\.to),
        .value("cuePoints", \.points, .list(of: .row), "in order"), .inRegion(\.region),
    ])
}

extension Field {
    fileprivate static func previousTime(_ path: any KeyPath<Root, Nanoseconds> & Sendable) -> Field {
        time("previousTimeMs", path, "of the progress event before")
    }

    fileprivate static func currentTime(_ path: any KeyPath<Root, Nanoseconds> & Sendable) -> Field {
        time("currentTimeMs", path, "from the beginning of the file or session")
    }

    private static func time(
        _ name: String, _ path: any KeyPath<Root, Nanoseconds> & Sendable, _ help: String
    ) -> Field {
        let codec = Codec<Nanoseconds>(
            Codec<Int64>.integer.kind, decode: { $0.integer.map { .milliseconds($0) } },
            encode: { .integer($0.milliseconds) })
        return .value(name, path, codec, help)
    }
}
