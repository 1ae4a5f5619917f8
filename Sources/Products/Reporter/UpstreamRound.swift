// SPDX-License-Identifier: Apache-2.0
import Collecting
import Forwarding
import JSON
import Reports
import Time
import Venue

/// What a venue tells its region at once, until the region has all of it.
struct UpstreamRound {
    /// Boxes that are read at a time, with texts.
    private static let pageOfBoxes = 256
    /// Sums of one round; the next one follows at once if there are more.
    private static let mostSums = 4_000
    /// How long a minute is over before its sums are final: what arrived in it may still wait for the disk.
    private static let settling = Nanoseconds.seconds(20)
    /// States that arrived so long before the latest one that was read may have come to the disk after it.
    private static let overlap = Nanoseconds.seconds(5)

    let due: Monotonic
    private(set) var report = VenueReport()
    /// Where the next round goes on, once the region has this one.
    private(set) var place: UpstreamPlace
    /// Whether there are more sums.
    private(set) var hasMore = false

    /// Reads what is to be told.
    /// - Parameters:
    ///   - heard: until when states have been read; changed to the latest that there is.
    init(
        _ reader: ForwardReading, _ digest: inout VenueDigest, from place: UpstreamPlace, heard: inout WallTime,
        due: Monotonic, at now: Monotonic, wall: WallTime
    ) throws(StoreError) {
        (self.due, self.place) = (due, place)
        try Self.readStates(reader, &digest, heard: &heard)
        report.boxes = digest.due(at: now)
        for resolution in Retention.Resolution.allCases { try readSums(reader, resolution, until: wall) }
    }

    private static func readStates(
        _ reader: ForwardReading, _ digest: inout VenueDigest, heard: inout WallTime
    ) throws(StoreError) {
        let since = WallTime(nanoseconds: max(0, heard.nanoseconds - overlap.count))
        var (after, latest) = ("", heard)
        while true {
            let page = try reader.states(after, since, pageOfBoxes)
            for state in page {
                latest = max(latest, state.arrived)
                // It has been JSON when it was kept.
                let document = state.text.flatMap { try? JSONValue.parse($0) } ?? .null
                digest.take(VenueBox(state.source.box, heard: state.arrived, state: document))
            }
            guard page.count == pageOfBoxes, let last = page.last else { break }
            after = last.source.box
        }
        heard = latest
    }

    private mutating func readSums(
        _ reader: ForwardReading, _ resolution: Retention.Resolution, until wall: WallTime
    ) throws(StoreError) {
        let length = resolution.milliseconds * 1_000_000
        let end = WallTime(nanoseconds: wall.nanoseconds - Self.settling.count - length + 1_000_000)
        while place[resolution] < end {
            guard report.minutes.count + report.hours.count < Self.mostSums else {
                hasMore = true
                return
            }
            guard let moment = try reader.sums(resolution, place[resolution]..<end) else { return }
            if resolution == .minute { report.minutes += moment.sums } else { report.hours += moment.sums }
            place[resolution] = WallTime(nanoseconds: moment.begin.nanoseconds + length)
        }
    }

    /// The reports of this round, the last one with the overview.
    func reports(_ digest: VenueDigest, alerts: [JSONValue], interval: Nanoseconds) -> [VenueReport] {
        var report = report
        var overview = VenueReport.Overview()
        overview.states = digest.states
        overview.alerts = alerts
        overview.intervalS = interval.seconds
        overview.version = Build.version
        report.overview = overview
        return report.divided()
    }
}
