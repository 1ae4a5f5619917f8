// SPDX-License-Identifier: Apache-2.0
import JSON
import Radio

extension RadioBand {
    /// Such as `2.4GHz`.
    public var text: String {
        switch self {
        case .gigahertz2: "2.4GHz"
        case .gigahertz5: "5GHz"
        case .gigahertz6: "6GHz"
        case .gigahertz60: "60GHz"
        }
    }
}

extension BitRate {
    /// As reports have it: `mcs` and `streams` are absent of rates older than 802.11n.
    public var json: JSONValue {
        var members: [String: JSONValue] = [
            "kbps": JSONValue(known: value.map { UInt64($0) * 100 }), "kind": .string("\(kind)"),
            "widthMHz": JSONValue(known: width),
        ]
        if kind != .legacy {
            members["mcs"] = JSONValue(known: mcs)
            members["streams"] = JSONValue(known: nss)
        }
        return .object(members)
    }
}
