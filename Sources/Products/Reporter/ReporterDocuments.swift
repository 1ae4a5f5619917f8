// SPDX-License-Identifier: Apache-2.0
import Collecting
import JSON
import Time

extension LatestState {
    /// - Parameter isLong: with the report, if there is a text.
    func json(isLong: Bool) -> JSONValue {
        var members: [String: JSONValue] = [
            "boot": .string(source.boot), "sequence": .integer(sequence), "arrived": .string(arrived.description),
        ]
        members["wall"] = wall.map { .string($0.description) }
        members["skewMs"] = skew.map { .integer($0.milliseconds) }
        members["clock"] = .string(ClockJudgement(wall: wall, arrived: arrived).rawValue)
        members["name"] = summary.name.map { .string($0) }
        members["group"] = summary.group.map { .string($0) }
        members["version"] = summary.version.map { .string($0) }
        members["state"] = summary.state.map { .string($0) }
        // It has been JSON when it was kept.
        if isLong, let text { members["report"] = (try? JSONValue.parse(text)) ?? .null }
        return .object(members)
    }
}

extension StartGaps {
    var json: JSONValue {
        [
            "boot": .string(boot), "began": .string(began.description), "last": .integer(last),
            "missing": .integer(missing),
            "ranges": .array(ranges.map { [.integer($0.lowerBound), .integer($0.upperBound)] }),
        ]
    }
}

extension AirSums {
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "packets": .integer(packets), "lost": .integer(lost), "windows": .integer(windows),
            "failedWindows": .integer(failedWindows), "seconds": .integer(seconds),
        ]
        members["signalDbm"] = signal.map { .integer($0) }
        return .object(members)
    }
}

extension AirRow {
    var json: JSONValue {
        var members: [String: JSONValue] = [:]
        members["bssid"] = bssid.map { .string($0) }
        members["name"] = name.map { .string($0) }
        members["ssid"] = ssid.map { .string($0) }
        members["channel"] = channel.map { .integer($0) }
        return sums.json.merging(patch: .object(members))
    }
}

extension KeptReport {
    /// One line of JSON with a line feed. The report's text stands in it as it is kept.
    var line: String {
        "{\"arrived\":\"\(arrivedText)\",\"report\":\(text)}\n"
    }

    static let tableHead = "arrived,wall,box,boot,sequence,kind,report\r\n"

    /// One line of CSV (RFC 4180).
    var row: String {
        let fields = [
            arrivedText, wall?.description ?? "", source.box, source.boot, "\(sequence)", isState ? "state" : "event",
            text,
        ]
        return fields.map(Self.quoted).joined(separator: ",") + "\r\n"
    }

    private var arrivedText: String { place.arrived.description }

    private static func quoted(_ field: String) -> String {
        let isPlain = field.utf8.allSatisfy { $0 != 0x22 && $0 != 0x2c && $0 != 0x0a && $0 != 0x0d }
        return isPlain ? field : "\"" + field.replacing("\"", with: "\"\"") + "\""
    }
}
