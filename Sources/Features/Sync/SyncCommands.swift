// SPDX-License-Identifier: Apache-2.0
import Commands
import CompanionScreens
import Shapes
import Synchronisation
import Time
import Venue

struct ShowSync: Command {
    static let about = About("sync", "Show how the box follows a television", example: "")
    static let shape = Shape<Self>([])

    func run(on sync: Sync) throws(Status) -> SyncReport { sync.report }
}

struct JoinTelevision: Command {
    var url: String?

    static let about = About(
        "sync-join", "Follow the timeline of a television",
        help: "Until the settings change or the service ends.", role: .operator,
        example: "ws://192.0.2.1:7681/cii")
    static let shape = Shape<Self>([
        .optionalArgument(
            "url", \.url, .absentOr(.text(1...2_048)),
            "Of its CSS-CII service; absent: that of the settings.")
    ])

    func run(on sync: Sync) throws(Status) -> SyncReport {
        let parsed = url.flatMap { WebSocketURL($0) }
        if let url, parsed?.isSecure != false {
            throw .failure(.failed, "url is '\(url.prefix(80))': expected one like ws://192.0.2.1:7681/cii")
        }
        try sync.join(parsed)
        return sync.report
    }
}

struct LeaveTelevision: Command {
    static let about = About(
        "sync-leave", "Follow no television", help: "Until the settings change, or sync-join.", role: .operator,
        example: "")
    static let shape = Shape<Self>([])

    func run(on sync: Sync) throws(Status) -> SyncReport {
        try sync.leave()
        return sync.report
    }
}

struct Calibrate: Command {
    var milliseconds: Int64 = 0

    static let about = About(
        "sync-calibrate", "Say how late the display and the loudspeakers are",
        help: "Until the settings change. What is presented is that much earlier.", role: .operator, example: "0")
    static let shape = Shape<Self>([
        .argument("milliseconds", \.milliseconds, .integer(-1_000...1_000), "Later than the box knows.")
    ])

    func run(on sync: Sync) throws(Status) -> SyncReport {
        sync.calibrate(.milliseconds(milliseconds))
        return sync.report
    }
}

/// How a session follows a television.
struct SyncReport: Answer {
    let phase: CompanionPhase
    let state: SyncControllerState
    let television: String?
    let contentId: String?
    let contentIdStatus: String?
    let presentationStatus: String?
    let selector: String?
    let position: Int64?
    let speed: Double?
    let dispersionUs: Int64?
    let errorUs: Int64?
    let boundUs: Int64?
    let ratePpm: Double
    let driftPpm: Double
    let jumps: Int
    let calibrationMs: Int64
    let session: Int?
    let served: String?
    let followers: Int
    let group: String?
    let groupRole: GroupReport.Role

    static let shape = Shape<Self>([
        .value("phase", \.phase, .choice, "what is waited for on the way to the timeline"),
        .value("state", \.state.name, .text, "of the sync controller"),
        .value("television", \.television, .optional(.text), "whom the box follows, or null"),
        .value("contentId", \.contentId, .optional(.text), "what the television presents"),
        .value("contentIdStatus", \.contentIdStatus, .optional(.text), "partial or final"),
        .value("presentationStatus", \.presentationStatus, .optional(.text), "okay, transitioning or fault"),
        .value("selector", \.selector, .optional(.text), "the timeline that is followed, or null"),
        .value("position", \.position, .optional(.integer), "where it is now, ticks"),
        .value("speed", \.speed, .optional(.number), "1 is normal, 0 paused"),
        .value("dispersionUs", \.dispersionUs, .optional(.integer), "how wrong the wall clock may be"),
        .value("errorUs", \.errorUs, .optional(.integer), "how late the session presents, or null"),
        .value("boundUs", \.boundUs, .optional(.integer), "how wrong errorUs may be"),
        .value("ratePpm", \.ratePpm, .number, "by how much the session is played faster"),
        .value("driftPpm", \.driftPpm, .number, "by how much the timeline runs faster than the session's clock"),
        .value("jumps", \.jumps, .count, "of the session to the timeline"),
        .value("calibrationMs", \.calibrationMs, .integer, "how late the display and the loudspeakers are"),
        .value("session", \.session, .optional(.integer), "which is held, or null"),
        .value("served", \.served, .optional(.text), "URL at which other boxes can follow this one, or null"),
        .value("followers", \.followers, .count, "boxes and others that follow this one"),
        .value("group", \.group, .optional(.text), "of boxes that this one is in, or null"),
        .value("groupRole", \.groupRole, .choice, "of this box in its group"),
    ])
}
