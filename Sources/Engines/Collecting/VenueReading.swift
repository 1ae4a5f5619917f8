// SPDX-License-Identifier: Apache-2.0
import JSON
import Reports
import Time

/// What venues told, as a connection reads it. Every answer is bounded.
public struct VenueReading {
    /// The newest overviews of venues behind an id, in the order of their ids, with texts.
    public let venues: (_ after: String, _ limit: Int) throws(StoreError) -> [LatestState]
    /// The boxes of a venue behind an id, in the order of their ids, each as `VenueBox` has it in JSON.
    public let boxes: (_ venue: String, _ after: String, _ limit: Int) throws(StoreError) -> [String]
    /// Sums of one venue.
    public let air: (_ venue: String, AirQuery) throws(StoreError) -> [AirRow]

    public init(
        venues: @escaping (_ after: String, _ limit: Int) throws(StoreError) -> [LatestState],
        boxes: @escaping (_ venue: String, _ after: String, _ limit: Int) throws(StoreError) -> [String],
        air: @escaping (_ venue: String, AirQuery) throws(StoreError) -> [AirRow]
    ) {
        (self.venues, self.boxes, self.air) = (venues, boxes, air)
    }
}

/// What a venue's reporter reads to tell a region.
public struct ForwardReading {
    /// Boxes behind an id that were heard after a time, in the order of their ids, with the texts of their states.
    public let states: (_ after: String, _ since: WallTime, _ limit: Int) throws(StoreError) -> [LatestState]
    /// The sums of the first minute or hour that begins in a span; nil if there are none in it.
    public let sums: (Retention.Resolution, Range<WallTime>) throws(StoreError) -> AirMoment?

    public init(
        states: @escaping (_ after: String, _ since: WallTime, _ limit: Int) throws(StoreError) -> [LatestState],
        sums: @escaping (Retention.Resolution, Range<WallTime>) throws(StoreError) -> AirMoment?
    ) {
        (self.states, self.sums) = (states, sums)
    }
}

/// The sums of one minute or hour, by access point and channel.
public struct AirMoment: Equatable, Sendable {
    /// Rows of one minute or hour that are read; a venue has some hundreds.
    static let mostRows: Int64 = 20_000

    public var begin: WallTime
    public var rows: [AirRow]

    public init(begin: WallTime, rows: [AirRow]) { (self.begin, self.rows) = (begin, rows) }

    public var sums: [VenueSum] {
        rows.map { row in
            var sum = VenueSum(timeMs: begin.milliseconds, bssid: row.bssid ?? "", channel: row.channel ?? 0)
            (sum.name, sum.ssid) = (row.name, row.ssid)
            (sum.packets, sum.lost) = (row.sums.packets, row.sums.lost)
            (sum.windows, sum.failedWindows) = (row.sums.windows, row.sums.failedWindows)
            sum.seconds = row.sums.seconds
            (sum.signalSum, sum.signalSeconds) = (row.sums.signalSum, row.sums.signalSeconds)
            return sum
        }
    }
}

/// Rules of both stores for what venues tell.
enum VenueRules {
    /// Venues that a store keeps, and boxes of one. Whoever has a token can make up ids.
    static let mostVenues: Int64 = 1_000
    static let mostBoxes: Int64 = 20_000

    static func sums(_ report: VenueReport, _ resolution: Retention.Resolution) -> [VenueSum] {
        resolution == .minute ? report.minutes : report.hours
    }
}
