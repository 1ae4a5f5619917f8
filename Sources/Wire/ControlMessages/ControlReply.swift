// SPDX-License-Identifier: Apache-2.0
import JSON
import Venue

/// A line that the service sends on the control socket.
public enum ControlReply: Equatable, Sendable {
    /// `{"id":1,"status":{…},"result":…}`; the result is present only if the status is ok.
    case answer(Status, result: JSONValue)
    /// `{"id":1,"event":{…}}`
    case event(JSONValue)
    /// `{"id":1,"message":{…}}`: a message of a data channel.
    case message(JSONValue)
    /// `{"id":1,"dropped":7}`: number of events or messages dropped because this reader was too slow.
    case dropped(UInt64)

    /// The line with its line feed.
    /// - Parameter id: id of the request; nil if the request's id could not be read.
    public func octets(id: Int64?) -> [UInt8] {
        var line = json
        line["id"] = id.map { .integer($0) } ?? .null
        return line.octets() + [UInt8(ascii: "\n")]
    }

    /// The line's members without the id.
    public var json: JSONValue {
        switch self {
        case .answer(let status, let result):
            status.isOk ? ["status": status.json, "result": result] : ["status": status.json]
        case .event(let event): ["event": event]
        case .message(let message): ["message": message]
        case .dropped(let count): ["dropped": .integer(Int64(clamping: count))]
        }
    }

    /// Nil if the line is not one that the service sends.
    public init?(parsing line: [UInt8], limits: JSONLimits) {
        // The caller reports a line that is no JSON.
        guard let value = try? JSONValue.parse(line, limits: limits) else { return nil }
        if let event = value["event"] {
            self = .event(event)
        } else if let message = value["message"] {
            self = .message(message)
        } else if let count = value["dropped"]?.integer {
            self = .dropped(UInt64(clamping: count))
        } else if let status = value["status"], let code = status["code"]?.integer {
            guard code != 0 else {
                self = .answer(.ok, result: value["result"] ?? [:])
                return
            }
            let known = Int(exactly: code).flatMap(Status.Code.init) ?? .failed
            self = .answer(.failure(known, status["errorString"]?.string ?? ""), result: .null)
        } else {
            return nil
        }
    }
}
