// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import LineUp
import Playback
import Presentation
import Reporting
import Statistics
import System
import Time
import Venue

/// The statistics of the control loop, and the command `stats`.
extension ControlPlane {
    /// Attaches the groups of the control plane. The owners of other engines attach those themselves.
    func attachStatistics() {
        let loop = loop
        statistics.attach(
            StatisticGroup("session", each: SessionFigures.statistics) { [unowned self] in
                regions.all.flatMap { region in
                    region.player.current.map { [(labels(of: $0, in: region), figures(of: $0, in: region))] } ?? []
                }
            })
        statistics.attach(
            StatisticGroup("region", each: RegionCounters.statistics) { [unowned self] in
                regions.all.map { (["region": $0.name], media.regionCounters($0.name)) }
            })
        statistics.attach(
            StatisticGroup("lineUp", LineUpCounters.statistics) { [unowned self] in lineUp.counters })
        statistics.attach(StatisticGroup("controlLoop", TurnCounters.statistics) { loop.turns })
    }

    private func labels(of session: PlayingSession, in region: RegionPlayer) -> [String: String] {
        ["region": region.name, "session": "\(session.id)"]
    }

    private func figures(of session: PlayingSession, in region: RegionPlayer) -> SessionFigures {
        let counters = mediaCounters(of: region)
        let late = counters.region.picturesLate - (stageBefore[session.id]?.picturesLate ?? 0)
        return SessionFigures(
            announcement: session.source.channel.map { (Int64($0.sessionNumber), $0.sessionTitle) },
            droppedPictures: late + (counters.playback?.decodeErrors ?? 0),
            lossPPM: health.snapshot.lossPPM[session.id], uptime: (SystemClock.monotonic() - session.opened).seconds)
    }

    /// Reception of the channel in each region that plays live.
    var receptions: [SessionReception] {
        regions.all.compactMap { region in
            guard let session = region.player.current, let channel = session.source.channel,
                let counters = mediaCounters(of: region).reception
            else { return nil }
            // UDP without RTP has no sequence numbers: loss shows only as discontinuities of the transport stream.
            let lost = channel.transport.encapsulation == .raw ? counters.tsDiscontinuities : counters.lostPackets
            return SessionReception(
                session: session.id,
                received: counters.datagrams - counters.duplicatePackets - counters.repairDatagrams, lost: lost)
        }
    }

    /// With `--session`, only the statistics that have a name in the reference; with `--describe`, the descriptions of
    /// all without values.
    func statistics(_ request: CommandRequest, in region: RegionPlayer) -> JSONValue {
        if request.isSet("describe") { return ["stats": statistics.descriptions] }
        let view = StatisticsView(snapshot: statistics.snapshot())
        return ["stats": request.isSet("session") ? .object(view.reference(of: region.name)) : view.json]
    }
}
