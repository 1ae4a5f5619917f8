// SPDX-License-Identifier: Apache-2.0
import Collecting
import JSON
import Reports
import Time

extension IncomingReport {
    /// What a store looks for in a report. What a box claims in excess is cut.
    init(_ report: Report) {
        let document = report.document
        var summary: Summary?
        if report.kind == .state {
            summary = Summary(
                name: document.at("/identity/name")?.string, group: document.at("/identity/group")?.string,
                version: document.at("/identity/version")?.string, state: document.at("/service/state")?.string)
        }
        let venue = report.venue
        if let overview = venue?.overview { summary = Summary(version: overview.version, state: "up") }
        let air = (document["accessPoints"]?.array ?? []).prefix(64).compactMap { AirCount($0) }
        self.init(
            sequence: Int64(report.sequence), state: summary, wall: report.wall,
            text: String(decoding: venue == nil ? report.octets : report.withoutLists, as: UTF8.self), air: air,
            venue: venue, octets: venue.map(\.memory))
    }
}

extension VenueReport {
    /// About how many octets it takes while it waits for the disk.
    fileprivate var memory: Int { 512 + 512 * (boxes.count + minutes.count + hours.count) }
}

extension AirCount {
    /// More than a radio receives in a day.
    private static let most: Int64 = 1 << 40

    /// nil if the member names no access point.
    init?(_ member: JSONValue) {
        guard let bssid = member["bssid"]?.string, bssid.utf8.count <= 64 else { return nil }
        func count(_ name: String) -> Int64 { max(0, min(Self.most, member[name]?.integer ?? 0)) }
        var sums = AirSums()
        sums.packets = count("packets")
        sums.lost = count("lost")
        sums.windows = count("windows")
        sums.failedWindows = count("failedWindows")
        sums.seconds = min(86_400, count("seconds"))
        if let signal = member["signalDbm"]?.integer, (-200...100).contains(signal) {
            // A report that covers less than a second has its say nevertheless.
            sums.signalSeconds = max(1, sums.seconds)
            sums.signalSum = signal * sums.signalSeconds
        }
        func text(_ name: String) -> String? { member[name]?.string.map { String($0.prefix(256)) } }
        self.init(
            Place(bssid: bssid.lowercased(), channel: min(10_000, count("channel"))), name: text("name"),
            ssid: text("ssid"), sums)
    }
}
