// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Venue

/// A line of the control socket to the service: `{"id":1,"command":"tune","arguments":{"channel":"One"}}`.
public struct ControlRequest: Equatable, Sendable {
    /// The caller's own; comes back with every line of the answer.
    public let id: Int64
    public let request: CommandRequest

    public init(id: Int64, _ request: CommandRequest) {
        self.id = id
        self.request = request
    }

    /// One line with its end.
    public var octets: [UInt8] {
        var line = request.json
        line["id"] = .integer(id)
        return line.octets() + [UInt8(ascii: "\n")]
    }

    struct Refusal: Error, Equatable {
        /// Nil when not even that could be read.
        let id: Int64?
        let status: Status
    }

    init(parsing line: [UInt8]) throws(Refusal) {
        let value: JSONValue
        do {
            value = try JSONValue.parse(line, limits: JSONLimits(maximumOctets: ControlSession.lineLimit))
        } catch {
            throw Refusal(id: nil, status: .failure(.usage, "not JSON: \(error)"))
        }
        guard let members = value.object else {
            throw Refusal(id: nil, status: .failure(.usage, "the request is \(value.kind); expected an object"))
        }
        guard let id = members["id"]?.integer, id >= 0 else {
            throw Refusal(id: nil, status: .failure(.usage, "id: expected an integer from 0"))
        }
        func refuse(_ text: String) -> Refusal { Refusal(id: id, status: .failure(.usage, text)) }
        guard let command = members["command"]?.string else { throw refuse("command: expected a string") }
        if let extra = members.keys.sorted().first(where: { !["id", "command", "arguments"].contains($0) }) {
            throw refuse("unknown member '\(extra)'; expected one of id, command, arguments")
        }
        do {
            self.init(id: id, try CommandRequest(command: command, arguments: members["arguments"] ?? [:]))
        } catch {
            throw Refusal(id: id, status: error.status)
        }
    }
}
