// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Time

/// What a venue received in one minute or hour over one access point on one channel, and what not. It is final: that time is
/// over.
public struct VenueSum: Equatable, Sendable {
    /// Times before 1970 or beyond the year 2255 are none.
    private static let mostMs: Int64 = 9_000_000_000_000
    private static let most: Int64 = 1 << 60

    /// When the minute or hour begins, by the clock of the venue's reporter, ms since 1970.
    public var timeMs: Int64
    public var bssid: String
    /// 0 if it was not known.
    public var channel: Int64
    public var name: String?
    public var ssid: String?
    public var packets: Int64 = 0
    public var lost: Int64 = 0
    public var windows: Int64 = 0
    public var failedWindows: Int64 = 0
    public var seconds: Int64 = 0
    /// Signals in dBm times seconds, and the seconds that it is of.
    public var signalSum: Int64 = 0
    public var signalSeconds: Int64 = 0

    public init(timeMs: Int64, bssid: String, channel: Int64) {
        (self.timeMs, self.bssid, self.channel) = (timeMs, bssid, channel)
    }

    private static let numbers: [(name: String, path: any WritableKeyPath<Self, Int64> & Sendable, least: Int64)] = [
        ("packets", \.packets, 0), ("lost", \.lost, 0), ("windows", \.windows, 0),
        ("failedWindows", \.failedWindows, 0), ("seconds", \.seconds, 0), ("signalSum", \.signalSum, -most),
        ("signalSeconds", \.signalSeconds, 0),
    ]

    static let kind = ValueKind.record(
        [
            FieldDescription("timeMs", .integer(0...mostMs), .required, "When it begins, ms since 1970."),
            FieldDescription("bssid", .text(1...64), .required, "Hardware address of the access point."),
            FieldDescription("channel", .integer(0...10_000), .optional, "Channel of the radio."),
            FieldDescription("name", .text(0...256), .optional, "Name of the access point."),
            FieldDescription("ssid", .text(0...256), .optional, "Its network."),
        ]
            + numbers.map { number in
                FieldDescription(
                    number.name, .integer(number.least...most), .optional, "Sum over the reports of boxes.")
            })

    init?(reading value: JSONValue) {
        guard let time = value["timeMs"]?.integer, let bssid = value["bssid"]?.string else { return nil }
        self.init(timeMs: time, bssid: bssid, channel: value["channel"]?.integer ?? 0)
        name = value["name"]?.string
        ssid = value["ssid"]?.string
        for number in Self.numbers { self[keyPath: number.path] = value[number.name]?.integer ?? 0 }
    }

    public var json: JSONValue {
        var members: [String: JSONValue] = [
            "timeMs": .integer(timeMs), "bssid": .string(bssid), "channel": .integer(channel),
        ]
        members["name"] = name.map { .string($0) }
        members["ssid"] = ssid.map { .string($0) }
        for number in Self.numbers where self[keyPath: number.path] != 0 {
            members[number.name] = .integer(self[keyPath: number.path])
        }
        return .object(members)
    }

    /// An upper bound of the octets of `json`, if no text has control characters.
    var mostOctets: Int { 300 + 2 * (bssid.utf8.count + (name?.utf8.count ?? 0) + (ssid?.utf8.count ?? 0)) }
}
