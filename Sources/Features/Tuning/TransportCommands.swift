// SPDX-License-Identifier: Apache-2.0
import Commands
import Playback
import Shapes
import Time
import Venue

struct Play: Command {
    var session: Int?
    var region: String?

    static let about = About(
        "play", "Go on playing", help: "Without effect when nothing is open or it plays already.", role: .operator,
        example: "")
    static let shape = Shape<Self>([.session(\.session), .region(\.region)])

    func run(on tuning: Tuning) throws(Status) -> Done {
        tuning.regions.control(.play, in: try tuning.transport(region, session))
        return Done()
    }
}

struct Pause: Command {
    var session: Int?
    var region: String?

    static let about = About(
        "pause", "Hold the picture", help: "Without effect when nothing is open or it is paused already.",
        role: .operator, example: "")
    static let shape = Shape<Self>([.session(\.session), .region(\.region)])

    func run(on tuning: Tuning) throws(Status) -> Done {
        tuning.regions.control(.pause, in: try tuning.transport(region, session))
        return Done()
    }
}

struct SeekAbsolute: DeferredCommand {
    var ms: Int64 = 0
    var session: Int?
    var region: String?

    static let about = About(
        "seek-absolute", "Go to a distance behind live",
        help: """
            Positive is away from live, 0 and less is live; too far is as far as the history reaches. In a file: to a
            position from its beginning. Returns when the picture is on the screen.
            """,
        role: .operator)
    static let shape = Shape<Self>([
        .offset(\.ms, "Milliseconds behind live."), .session(\.session), .region(\.region),
    ])

    func run(on tuning: Tuning, _ reply: Reply<ReachedPlace>) {
        tuning.seek(.absolute(.milliseconds(ms)), region, session, reply)
    }
}

struct SeekRelative: DeferredCommand {
    var ms: Int64 = 0
    var session: Int?
    var region: String?

    static let about = About(
        "seek-relative", "Go back or forth",
        help: """
            Negative goes back, positive toward live: the opposite sign of seek-absolute. Too far is as far as
            possible. Returns when the picture is on the screen.
            """,
        role: .operator)
    static let shape = Shape<Self>([
        .offset(\.ms, "Milliseconds from here."), .session(\.session), .region(\.region),
    ])

    func run(on tuning: Tuning, _ reply: Reply<ReachedPlace>) {
        tuning.seek(.relative(.milliseconds(ms)), region, session, reply)
    }
}

struct Rewind: DeferredCommand {
    var ms: Int64 = 0
    var session: Int?
    var region: String?

    static let about = About(
        "rewind", "Go back", help: "By the magnitude, whichever the sign. Returns when the picture is on the screen.",
        role: .operator)
    static let shape = Shape<Self>([.offset(\.ms, "Milliseconds."), .session(\.session), .region(\.region)])

    func run(on tuning: Tuning, _ reply: Reply<ReachedPlace>) {
        tuning.seek(.rewind(.milliseconds(ms)), region, session, reply)
    }
}

struct GoLive: DeferredCommand {
    var session: Int?
    var region: String?

    static let about = About(
        "live", "Go to live", help: "The same as seek-absolute 0. A file has no live: it goes to its beginning.",
        role: .operator)
    static let shape = Shape<Self>([.session(\.session), .region(\.region)])

    func run(on tuning: Tuning, _ reply: Reply<ReachedPlace>) { tuning.seek(.live, region, session, reply) }
}

/// The place that a seek reached.
struct ReachedPlace: Answer {
    let outcome: SeekOutcome

    private var behindLive: Int64? {
        if case .behindLive(let span) = outcome { span.milliseconds } else { nil }
    }

    private var position: Int64? {
        if case .position(let position) = outcome { position.milliseconds } else { nil }
    }

    static let shape = Shape<Self>([
        .unlessNil("offsetMs", \.behindLive, .integer, "reached, behind live; absent for files"),
        .unlessNil("positionMs", \.position, .integer, "reached, from the beginning of a file; absent for channels"),
    ])
}

extension Field where Root: Record {
    /// An offset in milliseconds, at most a day either way.
    fileprivate static func offset(_ path: Path<Int64>, _ help: String) -> Field {
        .argument("ms", path, .integer(-86_400_000...86_400_000), help)
    }
}

extension Tuning {
    fileprivate func seek(
        _ request: SeekRequest, _ region: String?, _ session: Int?, _ reply: Reply<ReachedPlace>
    ) {
        do throws(Status) {
            let region = try transport(region, session)
            regions.seek(request, in: region) { result in
                switch result {
                case .success(let outcome): reply(.success(ReachedPlace(outcome: outcome)))
                case .failure(let error): reply(.failure(Self.status(of: error)))
                }
            }
        } catch {
            reply(.failure(error))
        }
    }

    private static func status(of error: SeekError) -> Status {
        switch error {
        case .noSession: nothingPlays
        case .interrupted: .failure(.failed, "interrupted by another seek")
        case .timedOut: .failure(.failed, "no picture came of it within 5 s")
        case .sessionEnded: .failure(.failed, "the session was closed meanwhile")
        }
    }
}
