// SPDX-License-Identifier: Apache-2.0
import Commands
import Playback
import Shapes
import Venue

struct Move: Command {
    var from = ""
    var to = ""

    static let about = About(
        "move", "Move what plays to another region",
        help: """
            It goes on without an interruption, at the place where it is; what plays in the other region comes here. Each
            region keeps its place, its volume and what it falls back to.
            """,
        role: .operator)
    static let shape = Shape<Self>([
        .argument("from", \.from, .text(1...32), names: "regions", "The one in which it plays."),
        .argument("to", \.to, .text(1...32), names: "regions", "The one in which it is to play."),
    ])

    func run(on tuning: Tuning) throws(Status) -> MovedSession {
        let (from, to) = (try tuning.movable(from, "from"), try tuning.movable(to, "to"))
        guard from !== to else { throw .failure(.failed, "to is '\(to.name)'; expected another region than from") }
        guard let session = from.player.current else {
            throw .failure(.failed, "nothing plays in region '\(from.name)': expected a region in which something does")
        }
        let other = to.player.current
        tuning.regions.move(from, to: to)
        tuning.tellMoved(session.id, from: from, to: to)
        if let other { tuning.tellMoved(other.id, from: to, to: from) }
        return MovedSession(session: session.id, name: session.name, region: to.name, exchanged: other?.id)
    }
}

struct MovedSession: Answer {
    let session: Int
    let name: String
    let region: String
    let exchanged: Int?

    static let shape = Shape<Self>([
        .value("session", \.session, .integer, "the number that it had and has"),
        .value("name", \.name, .text, "of the channel or video"),
        .value("region", \.region, .text, "in which it plays now"),
        .unlessNil("exchanged", \.exchanged, .integer, "the session that came in its place; absent: none"),
    ])
}

extension Tuning {
    /// A region that the layout has. One of a strategy goes with that strategy, and what plays there with it.
    fileprivate func movable(_ name: String, _ field: String) throws(Status) -> RegionPlayer {
        let region = try regions.addressed(region: name)
        guard let strategy = region.strategy else { return region }
        let why = "\(field) is '\(name)', of strategy '\(strategy.name)'; expected a region of the layout"
        throw .failure(.failed, why)
    }

    fileprivate func tellMoved(_ session: Int, from: RegionPlayer, to: RegionPlayer) {
        log(.debug, "session moved", ["session": session, "from": from.name, "to": to.name])
        context.emit(SessionMoved(session: session, from: from.name, region: to.isMain ? nil : to.name))
    }
}
