// SPDX-License-Identifier: Apache-2.0
import Playback
import Shapes
import Venue

/// The options by which a command says the region that it is about.
extension Field where Root: Record {
    static func region(_ path: Path<String?>) -> Field {
        .option("region", path, .absentOr(.text(1...32)), names: "regions", "Of the stage; absent: main.")
    }

    static func session(_ path: Path<Int?>) -> Field {
        .option(
            "session", path, .absentOr(.integer(1...Int.max)),
            "Fail unless this session is open; says the region as well.")
    }
}

extension Tuning {
    /// The region of a command that moves or holds what plays.
    func transport(_ region: String?, _ session: Int?) throws(Status) -> RegionPlayer {
        let region = try regions.addressed(region: region, session: session)
        if region.isMain, region.player.isOpen { sources.transportAsked() }
        return region
    }

    /// The region and its session.
    /// - Throws: if nothing is open there.
    func playing(in name: String?) throws(Status) -> (region: RegionPlayer, session: PlayingSession) {
        let region = try regions.addressed(region: name)
        guard let session = region.player.current else { throw Self.nothingPlays }
        return (region, session)
    }

    static let nothingPlays = Status.failure(.failed, "nothing plays: expected a tuned channel or a playlist")
}
