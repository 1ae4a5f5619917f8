// SPDX-License-Identifier: Apache-2.0
import JSON
import Testing

/// One member of an announcement with a value that it may not have; null: left out.
struct BrokenField: CustomTestStringConvertible, Sendable {
    let path: String
    let value: JSONValue

    init(_ path: String, _ value: JSONValue = .null) {
        self.path = path
        self.value = value
    }

    var testDescription: String { "\(path) \(value)" }

    func applied(to text: String) throws -> JSONValue {
        let keys = path.split(separator: "/").map(String.init)
        let patch = keys.reversed().reduce(value) { [$1: $0] }
        return try JSONValue.parse(text).merging(patch: patch)
    }

    /// The schema refuses every one of these too, but for `onlyOurs`.
    static let all: [BrokenField] =
        required.map { BrokenField($0) } + onlyOurs + [
            BrokenField("/version", "1"), BrokenField("/version", 1.5),
            BrokenField("/streamer", 7), BrokenField("/streamer/id", ""), BrokenField("/streamer/id", "a/b"),
            BrokenField("/streamer/id", "a:b"), BrokenField("/streamer/id", "é"),
            BrokenField("/streamer/id", .string(String(repeating: "a", count: 65))), BrokenField("/streamer/name", 1),
            BrokenField("/session", []), BrokenField("/session/number", -1),
            BrokenField("/session/number", 9_007_199_254_740_992), BrokenField("/session/number", "1"),
            BrokenField("/session/title", .string(String(repeating: "é", count: 129))),
            BrokenField("/license/venueName", ""), BrokenField("/license/contentOwner", false),
            BrokenField("/license/appDeveloper", .string(String(repeating: "x", count: 257))),
            BrokenField("/kind", "audio"), BrokenField("/kind", "Video"), BrokenField("/name", ""),
            BrokenField("/name", "\u{1b}[2J"), BrokenField("/name", "a\nb"), BrokenField("/name", "a\u{9b}b"),
            BrokenField("/text", "a\tb"), BrokenField("/bandwidthKbps", -1), BrokenField("/bandwidthKbps", 10_000_001),
            BrokenField("/transport", "239.0.0.1"), BrokenField("/transport/address", "head.example"),
            BrokenField("/transport/address", "239.0.0"), BrokenField("/transport/address", "0.0.0.0"),
            BrokenField("/transport/address", "255.255.255.255"), BrokenField("/transport/address", "::"),
            BrokenField("/transport/address", "239.0.0.1:5004"), BrokenField("/transport/port", 0),
            BrokenField("/transport/port", 65_536), BrokenField("/transport/port", "5004"),
            BrokenField("/transport/source", "someone"), BrokenField("/transport/encapsulation", "RTP"),
            BrokenField("/transport/payloadType", 128), BrokenField("/playoutDelayMs", 30_001),
            BrokenField("/contentType", "json"), BrokenField("/contentType", "a/b;c"), BrokenField("/contentType", 1),
            BrokenField("/transport/furtherSources", "10.0.0.1"), BrokenField("/transport/furtherSources", ["x"]),
            BrokenField("/transport/furtherSources", .array((0..<16).map { .string("10.0.0.\($0 + 1)") })),
            BrokenField("/transport/repair", 1), BrokenField("/transport/repair", ["scheme": ""]),
            BrokenField("/transport/repair", ["scheme": "windows"]),
            BrokenField("/transport/repair", windows(["port": 0])),
            BrokenField("/transport/repair", windows(["address": "here"])),
            BrokenField("/transport/repair", windows(["sourcePackets": 0])),
            BrokenField("/transport/repair", windows(["repairPackets": 65_536])),
            BrokenField("/transport/repair", windows(["depth": "6"])),
            BrokenField("/transport/repair", windows(["symbolOctets": 0])),
            BrokenField("/transport/repair", windows(["generator": "other"])),
            BrokenField("/transport/repair", windows(["spanMs": 30_001])),
            BrokenField("/transport/repair", ["scheme": "parity"]),
            BrokenField("/transport/repair", ["scheme": "parity", "spanMs": 100, "rows": ["port": 65_536]]),
            BrokenField("/transport/repair", ["scheme": "parity", "spanMs": 100, "columns": 5_006]),
            BrokenField("/transport/secondPath", ["address": "239.0.0.2"]),
            BrokenField("/transport/secondPath", ["port": 1, "skewMs": 0]),
            BrokenField("/intervalMs", 99), BrokenField("/intervalMs", 600_001),
        ]

    /// Sound repair with other members.
    private static func windows(_ members: JSONValue) -> JSONValue {
        let sound: JSONValue = [
            "scheme": "windows", "port": 5_006, "sourcePackets": 100, "repairPackets": 30, "spanMs": 500,
        ]
        return sound.merging(patch: members)
    }

    static let required = [
        "/version", "/streamer", "/streamer/id", "/session", "/session/number", "/license", "/license/venueName",
        "/license/contentOwner", "/license/appDeveloper", "/kind", "/name", "/transport", "/transport/address",
        "/transport/port", "/transport/encapsulation",
    ]

    /// What a schema cannot say.
    static let onlyOurs = [
        BrokenField("/transport/source", "fd00::1"),  // the address is IPv4
        BrokenField("/transport/source", "239.0.0.9"), BrokenField("/transport/source", "0.0.0.0"),
    ]
}
