// SPDX-License-Identifier: Apache-2.0
import Commands
import CompanionScreens
import Hosting
import Playback
import Shapes
import Synchronisation
import Time
import Venue

struct ShowGroup: Command {
    static let about = About(
        "sync-group", "Show the group of boxes that present together", form: .record, example: "")
    static let shape = Shape<Self>([])

    func run(on sync: Sync) throws(Status) -> GroupReport { sync.groupReport }
}

struct MoveGroup: DeferredCommand {
    enum Move: String, Sendable, CaseIterable { case rewind, pause, play, live, seek }

    var move = Move.play
    var ms: Int64 = 0

    static let about = About(
        "sync-group-move", "Move what all boxes of the group present",
        help: """
            For the box that leads: the others follow, each from its own memory, and such as come later. Returns when \
            the picture is on the leader's screen.
            """,
        role: .operator)
    static let shape = Shape<Self>([
        .argument("move", \.move, .choice, "rewind by ms, pause, play, live, or seek to ms behind live."),
        .optionalArgument("ms", \.ms, .integer(0...86_400_000), "Milliseconds of a rewind or a seek."),
    ])

    func run(on sync: Sync, _ reply: Reply<MovedGroup>) {
        do throws(Status) {
            try sync.move(request, reply)
        } catch {
            reply(.failure(error))
        }
    }

    enum Request {
        case control(PlaybackController.Input)
        case seek(SeekRequest)
    }

    private var request: Request {
        switch move {
        case .rewind: .seek(.rewind(.milliseconds(ms)))
        case .pause: .control(.pause)
        case .play: .control(.play)
        case .live: .seek(.live)
        case .seek: .seek(.absolute(.milliseconds(ms)))
        }
    }
}

/// What became of the group's timeline.
struct MovedGroup: Answer {
    let followers: Int
    let offsetMs: Int64?

    static let shape = Shape<Self>([
        .value("followers", \.followers, .count, "boxes that follow this one"),
        .unlessNil("offsetMs", \.offsetMs, .integer, "reached, behind live; absent for pause and play"),
    ])
}

struct GroupReport: Answer {
    enum Role: String, Sendable, CaseIterable { case none, waiting, following, leading }

    /// Another box of the group, as it says of itself.
    struct Box: Answer {
        let box: String
        let leads: Bool
        let isAppointed: Bool
        let isLocked: Bool
        let url: String

        init(_ announcement: GroupAnnouncement, era: String?) {
            (box, leads, isAppointed) = (announcement.box, announcement.leads, announcement.isAppointed)
            isLocked = era != nil && announcement.era == era
            url = announcement.ciiURL.description
        }

        static let shape = Shape<Self>([
            .value("box", \.box, .text, "identity"),
            .value("leads", \.leads, .boolean, "whether it leads"),
            .value("isAppointed", \.isAppointed, .boolean, "by its settings"),
            .value("isLocked", \.isLocked, .boolean, "to the same clocks as this box"),
            .value("url", \.url, .text, "of its CSS-CII"),
        ])
    }

    let name: String?
    let role: Role
    let leader: String?
    let leaderURL: String?
    let isLocked: Bool
    let problem: String?
    let boxes: [Box]

    static let shape = Shape<Self>([
        .value("name", \.name, .optional(.text), "of the group, or null if the box is in none"),
        .value("role", \.role, .choice, "of this box"),
        .value("leader", \.leader, .optional(.text), "identity of the box that leads, or null"),
        .value("leaderUrl", \.leaderURL, .optional(.text), "of its CSS-CII"),
        .value("isLocked", \.isLocked, .boolean, "whether this box presents by the group's clocks"),
        .value("problem", \.problem, .optional(.text), "why the group is not reached, or null"),
        .value("boxes", \.boxes, .list(of: .row), "that are heard, by identity"),
    ])
}

/// The event that the box of a group leads, follows another one, or refuses one.
struct LeaderChanged: FeatureEvent {
    enum What: String, Sendable, CaseIterable { case leads, follows, waits, refused }

    let what: What
    let group: String
    let leader: String?
    let continues: Bool

    static let about = EventAbout(.sync, "leader", "The box of a group leads, follows another one, or refuses one.")
    static let shape = Shape<Self>([
        .value(
            "what", \.what, .choice,
            "leads: this box does; follows: another one; waits: nobody leads; refused: the leader's clock is broken"),
        .value("group", \.group, .text, "name of the group"),
        .value("leader", \.leader, .optional(.text), "identity of the box it is about, or null"),
        .value("continues", \.continues, .boolean, "whether the clocks are those of before, so that nothing moves"),
    ])
}
