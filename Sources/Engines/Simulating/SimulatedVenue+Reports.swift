// SPDX-License-Identifier: Apache-2.0
import JSON
import Time

/// What boxes tell, by the form of `config/REPORTS.md`.
extension SimulatedVenue {
    private static let ssid = "Venue-TV"
    /// All values are told in the first report of a start and in each so many.
    private static let wholeEach: UInt64 = 60

    /// - Parameters:
    ///   - start: when the box started; the counts are since then.
    ///   - last: when it told its state before.
    public func state(
        of box: Int, sequence: UInt64, since start: Nanoseconds, last: Nanoseconds, at instant: Nanoseconds
    ) -> [String: JSONValue] {
        let accessPoint = accessPoint(of: box)
        let total = counts(of: box, from: start, to: instant)
        let delta = total - counts(of: box, from: start, to: last)
        let isWell = delta.failedWindows == 0
        var members: [String: JSONValue] = [
            "identity": identity(of: box, start), "tags": ["simulated"],
            "dimensions": [
                .string("stand \(accessPoint.number / 40 + 1)"), .string("switch \(accessPoint.number / 4 + 1)"),
            ],
            "service": ["state": .string(isWell ? "up" : "degraded"), "reasons": [], "isInVenue": true],
            "wifi": [radio(of: box, accessPoint, total, delta, since: start, at: instant)],
            "accessPoints": [
                [
                    "bssid": .string(accessPoint.bssid), "name": .string(accessPoint.name), "ssid": .string(Self.ssid),
                    "channel": .integer(Int64(accessPoint.channel)), "seconds": .integer((instant - last).seconds),
                    "packets": .integer(delta.packets), "lost": .integer(delta.lost),
                    "windows": .integer(delta.windows), "failedWindows": .integer(delta.failedWindows),
                    "signalDbm": .integer(signal(of: box, at: instant)),
                ]
            ],
            "sessions": [
                [
                    "region": "main", "channel": "Match", "session_uptime": .integer((instant - start).seconds),
                    "session_link_indicator": .integer(indicator(delta)),
                ]
            ],
        ]
        members["statistics"] = statistics(total, delta, isWhole: sequence % Self.wholeEach == 1)
        return members
    }

    /// What a box tells at once when a story begins or ends for it; nil if that is nothing.
    public func events(of box: Int, from before: Nanoseconds, to instant: Nanoseconds) -> JSONValue? {
        let (were, are) = (happening(to: box, at: before), happening(to: box, at: instant))
        guard were != are else { return nil }
        return [
            [
                "event": .string(are.isEmpty ? "channels.rejoined" : "channels.quality"), "channel": "Match",
                "why": .string((are.isEmpty ? were : are).map(\.rawValue).joined(separator: ", ")),
            ]
        ]
    }

    func identity(of box: Int, _ start: Nanoseconds) -> JSONValue {
        let isNew = restart(of: box).map { start >= $0 } ?? false
        return [
            "name": .string("Bar \(box + 1)"), "group": .string("stand \(accessPoint(of: box).number / 40 + 1)"),
            "version": .string(isNew ? "1.1.0" : "1.0.0"), "build": .string(isNew ? "4c1d2e3f" : "0a1b2c3d"),
        ]
    }

    private func radio(
        of box: Int, _ accessPoint: AccessPoint, _ total: SimulatedCounts, _ delta: SimulatedCounts,
        since start: Nanoseconds, at instant: Nanoseconds
    ) -> JSONValue {
        let signal = signal(of: box, at: instant)
        let isBad = happening(to: box, at: instant).contains(.badChannel)
        let index = min(9, max(0, (signal + 82) / 4))
        return [
            "interface": "wlan0", "mode": "station",
            "address": .string("02:00:5e:" + accessPoint.bssid.dropFirst(12) + ":0\(box % 10)"),
            "ssid": .string(Self.ssid), "bssid": .string(accessPoint.bssid), "accessPoint": .string(accessPoint.name),
            "frequencyMHz": .integer(5_000 + 5 * Int64(accessPoint.channel)),
            "channel": .integer(Int64(accessPoint.channel)), "band": "5 GHz", "widthMHz": 20,
            "signalDbm": .integer(signal), "signalAverageDbm": .integer(signal),
            "chainSignalsDbm": [.integer(signal - 2), .integer(signal - 3)], "noiseDbm": isBad ? -78 : -95,
            "receiveRate": [
                "kbps": .integer(17_300 * (index + 1)), "kind": "vht", "mcs": .integer(index), "streams": 2,
                "widthMHz": 20,
            ],
            "connectedS": .integer((instant - start).seconds), "inactiveMs": 20,
            "busyPPM": .integer(Int64(load(of: accessPoint.channel, isBad: isBad, at: instant) * 1e6)),
            "linkIndicator": .integer(indicator(delta)), "totals": Self.air(total), "deltas": Self.air(delta),
        ]
    }

    private static func air(_ counts: SimulatedCounts) -> JSONValue {
        [
            "receivedPackets": .integer(counts.packets), "receivedOctets": .integer(counts.packets * 1_370),
            "transmittedPackets": .integer(counts.windows), "transmitRetries": .integer(counts.retries),
        ]
    }

    /// 0 poor … 10 excellent, by the loss after repair.
    func indicator(_ delta: SimulatedCounts) -> Int64 {
        let part = Double(delta.lost) / Double(max(1, delta.packets + delta.lost))
        return max(0, 10 - Int64(part * 200))
    }

    private func statistics(_ total: SimulatedCounts, _ delta: SimulatedCounts, isWhole: Bool) -> JSONValue {
        var groups: [String: JSONValue] = [
            "reception": Self.group([
                "packets": (total.packets, delta.packets), "missing": (total.missing, delta.missing),
                "lost": (total.lost, delta.lost), "windows": (total.windows, delta.windows),
            ]),
            "presentation": Self.group([
                "pictures": (total.pictures, delta.pictures),
                "damaged": (total.damagedPictures, delta.damagedPictures),
            ]),
        ]
        guard isWhole else { return .object(groups) }
        for name in ["audio", "decoder", "controlLoop", "lineUp", "network", "reports", "web", "sync"] {
            groups[name] = Self.group(
                Dictionary(
                    uniqueKeysWithValues: (1...20).map {
                        ("\(name)Value\($0)", (total.windows * Int64($0), delta.windows))
                    }))
        }
        return .object(groups)
    }

    private static func group(_ values: [String: (total: Int64, delta: Int64)]) -> JSONValue {
        [["labels": [:], "values": .object(values.mapValues { [.integer($0.total), .integer($0.delta)] })]]
    }
}
