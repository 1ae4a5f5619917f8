// SPDX-License-Identifier: Apache-2.0
import Time

/// The newest state that a box has told.
public struct LatestState: Equatable, Sendable {
    public var source: ReportSource
    public var sequence: Int64
    public var arrived: WallTime
    public var wall: WallTime?
    public var summary: IncomingReport.Summary
    /// The report's JSON text; nil where only the summary was asked for.
    public var text: String?

    public init(
        source: ReportSource, sequence: Int64, arrived: WallTime, wall: WallTime?, summary: IncomingReport.Summary,
        text: String?
    ) {
        self.source = source
        self.sequence = sequence
        self.arrived = arrived
        self.wall = wall
        self.summary = summary
        self.text = text
    }
}

/// Which reports of a box are asked for, by when they arrived.
public struct ReportQuery: Equatable, Sendable {
    public var box: String
    /// Boxes whose reports are shown with it, because it has their place.
    public var predecessors: [String]
    public var span: Range<WallTime>
    /// Behind this place; nil: from the beginning.
    public var after: ReportPlace?
    public var limit: Int
    /// Limit on the octets of all texts of an answer; a single report may have more.
    public var mostOctets: Int

    public init(
        box: String, predecessors: [String] = [], span: Range<WallTime>, after: ReportPlace? = nil, limit: Int,
        mostOctets: Int = 4 << 20
    ) {
        self.box = box
        self.predecessors = predecessors
        self.span = span
        self.after = after
        self.limit = limit
        self.mostOctets = mostOctets
    }
}

/// Where a kept report stands among those of its box.
public struct ReportPlace: Equatable, Sendable {
    public var arrived: WallTime
    /// Its number among those of the day.
    public var number: Int64

    public init(arrived: WallTime, number: Int64) { (self.arrived, self.number) = (arrived, number) }

    func isBefore(_ other: ReportPlace) -> Bool {
        (arrived.nanoseconds, number) < (other.arrived.nanoseconds, other.number)
    }
}

public struct KeptReport: Equatable, Sendable {
    public var source: ReportSource
    public var sequence: Int64
    public var isState: Bool
    public var wall: WallTime?
    public var place: ReportPlace
    public var text: String

    public init(
        source: ReportSource, sequence: Int64, isState: Bool, wall: WallTime?, place: ReportPlace, text: String
    ) {
        self.source = source
        self.sequence = sequence
        self.isState = isState
        self.wall = wall
        self.place = place
        self.text = text
    }
}

public struct ReportPage: Equatable, Sendable {
    public var reports: [KeptReport]
    /// Whether there are more behind the last.
    public var hasMore: Bool

    public init(_ reports: [KeptReport], hasMore: Bool) { (self.reports, self.hasMore) = (reports, hasMore) }

    /// Appends rows as far as the query has room.
    /// - Returns: whether the page has room for more; false sets `hasMore`.
    mutating func append(_ rows: [KeptReport], for wanted: ReportQuery) -> Bool {
        var octets = reports.reduce(0) { $0 + $1.text.utf8.count }
        for report in rows {
            octets += report.text.utf8.count
            let isFull = reports.count >= wanted.limit || octets > wanted.mostOctets
            guard !isFull || reports.isEmpty else {
                hasMore = true
                return false
            }
            reports.append(report)
        }
        return true
    }
}

/// Which reports of one start of a box have come, and which have not.
public struct StartGaps: Equatable, Sendable {
    public var boot: String
    /// When the first of its reports arrived.
    public var began: WallTime
    /// Greatest sequence that came.
    public var last: Int64
    /// How many sequences before `last` have not come.
    public var missing: Int64
    /// The first of the ranges that have not come, with both ends.
    public var ranges: [ClosedRange<Int64>]

    public init(boot: String, began: WallTime, last: Int64, missing: Int64, ranges: [ClosedRange<Int64>]) {
        self.boot = boot
        self.began = began
        self.last = last
        self.missing = missing
        self.ranges = ranges
    }
}

/// Which sums over access points and channels are asked for.
public struct AirQuery: Equatable, Sendable {
    public enum Subject: String, Sendable { case accessPoint, channel }

    public var subject: Subject
    public var span: Range<WallTime>
    public var resolution: Retention.Resolution
    public var limit: Int

    public init(_ subject: Subject, _ span: Range<WallTime>, _ resolution: Retention.Resolution, limit: Int) {
        self.subject = subject
        self.span = span
        self.resolution = resolution
        self.limit = limit
    }
}

/// Sums of one access point, or of one channel, over the span.
public struct AirRow: Equatable, Sendable {
    /// nil in a sum over a channel.
    public var bssid: String?
    public var name: String?
    public var ssid: String?
    /// nil in a sum over an access point.
    public var channel: Int64?
    public var sums: AirSums

    public init(bssid: String?, name: String?, ssid: String?, channel: Int64?, _ sums: AirSums) {
        self.bssid = bssid
        self.name = name
        self.ssid = ssid
        self.channel = channel
        self.sums = sums
    }
}
