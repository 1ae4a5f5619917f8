// SPDX-License-Identifier: Apache-2.0
import JSON

extension FlowEndpoint {
    /// Members `address` and `port`, and `source` and `interface` if they are set.
    public var json: JSONValue {
        var json: JSONValue = ["address": .string(address), "port": .integer(Int64(port))]
        json["source"] = source.map(JSONValue.string)
        json["interface"] = interface.map(JSONValue.string)
        return json
    }
}

extension Repair {
    /// The members of announcements and answers; `config/ANNOUNCEMENT.md` describes each.
    public var json: JSONValue {
        var json: JSONValue
        switch self {
        case .windows(let windows):
            json = windows.endpoint.json
            json["scheme"] = "windows"
            json["sourcePackets"] = .integer(Int64(windows.sourcePackets))
            json["repairPackets"] = .integer(Int64(windows.repairPackets))
            json["depth"] = .integer(Int64(windows.depth))
            json["symbolOctets"] = .integer(Int64(windows.symbolOctets))
            json["generator"] = .string(windows.generator.rawValue)
        case .parity(let parity):
            json = ["scheme": "parity"]
            json["columns"] = parity.columns?.json
            json["rows"] = parity.rows?.json
            if parity.isFound { json["isFound"] = true }
        }
        json["spanMs"] = .integer(span.milliseconds)
        return json
    }
}

extension SecondPath {
    /// The members of announcements and answers.
    public var json: JSONValue {
        var json = endpoint.json
        json["skewMs"] = .integer(skew.milliseconds)
        return json
    }
}
