// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import LineUp
import Reporting
import System
import Time
import Venue

extension ControlPlane {
    /// With `--session` the reference's alone.
    func statistics(_ request: CommandRequest, in region: RegionPlayer) -> JSONValue {
        guard request.isSet("session") else { return ["stats": statistics] }
        return ["stats": .object(sessionStatistics(of: region, mediaCounters(of: region)))]
    }

    /// Those of the reference that apply (SVM-101…126), what is not known yet as null.
    func sessionStatistics(of region: RegionPlayer, _ counters: MediaCounters) -> [String: JSONValue] {
        let values = SessionStatistic.allCases.compactMap { statistic in
            value(of: statistic, in: region, counters).map { (statistic.rawValue, $0) }
        }
        return Dictionary(uniqueKeysWithValues: values)
    }

    /// The one place that says what each is made of.
    private func value(
        of statistic: SessionStatistic, in region: RegionPlayer, _ counters: MediaCounters
    ) -> JSONValue? {
        let session = region.player.current
        func ofSession(_ value: Int64?) -> JSONValue? { session.map { _ in .integer(value ?? 0) } }
        switch statistic {
        case .sessionID: return session?.source.channel.map { .integer($0.sessionNumber) }
        case .sessionTitle: return session?.source.channel.map { .string($0.sessionTitle) }
        case .droppedVideoFrames:
            let late = counters.region.picturesLate - region.stageBefore.picturesLate
            return ofSession(late + (counters.playback?.decodeErrors ?? 0))
        case .tsDiscontinuities: return ofSession(counters.reception?.tsDiscontinuities)
        case .linkIndicator:
            guard let session, session.source.channel != nil else { return nil }
            return health.lossPPM(of: session.id).map { .integer(Int64(LinkIndicator.value(lossPPM: $0))) } ?? .null
        case .uptime: return ofSession(session.map { (SystemClock.monotonic() - $0.opened).seconds })
        case .videoOctets: return ofSession(counters.playback?.videoOctets)
        case .windows: return ofSession(counters.reception?.protectionWindows)
        case .windowErrors: return ofSession(counters.reception?.windowsRefused)
        case .windowsWithoutLoss: return ofSession(counters.reception?.windowsWithoutLoss)
        case .windowsFailed: return ofSession(counters.reception?.windowsFailed)
        case .windowsRecovered: return ofSession(counters.reception?.windowsRepaired)
        case .windowWarnings: return ofSession(counters.reception?.windowsOversized)
        case .announcementsMalformed: return .integer(Int64(clamping: lineUp.counters.announcementsMalformed))
        case .announcementsNotAllowed: return .integer(Int64(clamping: lineUp.counters.announcementsNotAllowed))
        case .announcementsReceived: return .integer(Int64(clamping: lineUp.counters.announcementsReceived))
        case .channelsAdded: return .integer(Int64(clamping: lineUp.counters.channelsAdded))
        case .channelsPruned: return .integer(Int64(clamping: lineUp.counters.channelsPruned))
        case .invalidJsonAnnouncements: return .integer(Int64(clamping: lineUp.counters.invalidJsonAnnouncements))
        case .licenseMismatchAnnouncements:
            return .integer(Int64(clamping: lineUp.counters.licenseMismatchAnnouncements))
        case .listenerIgmpRestarts: return .integer(Int64(clamping: lineUp.counters.listenerIgmpRestarts))
        case .versionMismatchAnnouncements:
            return .integer(Int64(clamping: lineUp.counters.versionMismatchAnnouncements))
        case .statsUploadAttempts, .statsUploadFailures, .statsUploadSuccesses: return 0  // nothing is reported yet
        }
    }
}
