// SPDX-License-Identifier: Apache-2.0
import JSON
import Venue

/// A line that the service receives on the control socket: `{"id":1,"command":"tune","arguments":{"channel":"One"}}`.
public struct ControlRequest: Equatable, Sendable {
    /// Octets of the longest line without its line feed.
    public static let lineLimit = 416 << 10

    /// Chosen by the caller; every line of the answer repeats it.
    public let id: Int64
    /// Name of the command; not checked against the table of commands.
    public let command: String
    public let arguments: JSONValue
    /// Under which the request acts once, however often it comes; nil if each acts.
    public let key: String?
    /// Of somebody who logged in at a console; nil if the caller is whom the kernel tells.
    public var session: String?

    public init(
        id: Int64, command: String, arguments: JSONValue = [:], key: String? = nil, session: String? = nil
    ) {
        self.id = id
        self.command = command
        self.arguments = arguments
        self.key = key
        self.session = session
    }

    private static let members = ["id", "command", "arguments", "key", "session"]

    /// The line with its line feed.
    public var octets: [UInt8] {
        var members: [String: JSONValue] = [
            "id": .integer(id), "command": .string(command), "arguments": arguments,
        ]
        members["key"] = key.map { .string($0) }
        members["session"] = session.map { .string($0) }
        return JSONValue.object(members).octets() + [UInt8(ascii: "\n")]
    }

    public struct Refusal: Error, Equatable {
        /// Id of the request; nil if it could not be read.
        public let id: Int64?
        public let status: Status
    }

    public init(parsing line: [UInt8]) throws(Refusal) {
        let value: JSONValue
        do {
            value = try JSONValue.parse(line, limits: JSONLimits(maximumOctets: Self.lineLimit))
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
        if let extra = members.keys.sorted().first(where: { !Self.members.contains($0) }) {
            throw refuse("unknown member '\(extra)'; expected one of \(Self.members.joined(separator: ", "))")
        }
        for name in ["key", "session"] {
            let text = members[name] ?? .null
            guard text.isNull || text.string != nil else { throw refuse("\(name): expected a string") }
        }
        self.init(
            id: id, command: command, arguments: members["arguments"] ?? [:], key: members["key"]?.string,
            session: members["session"]?.string)
    }
}
