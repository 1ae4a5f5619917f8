// SPDX-License-Identifier: Apache-2.0
import JSON
import Time

/// A command for a group of boxes, as the payload of an envelope has it. The envelope is one datagram, which is sent
/// several times with the same octets. `config/PUSH.md` describes it.
public struct SignedCommand: Equatable, Sendable {
    public static let payloadType = "application/vnd.touchline.group-command+json"
    /// The longest envelope, in octets: no link on the way has to cut it into fragments.
    public static let mostEnvelopeOctets = 1_200
    /// The longest payload, in octets. In base64 it would fill an envelope by itself.
    static let mostOctets = mostEnvelopeOctets / 4 * 3
    /// What a JSON number holds exactly.
    public static let sequences: ClosedRange<Int64> = 1...(1 << 53)
    /// The longest time from `sent` to `expires`.
    public static let longestLife = Nanoseconds.seconds(3_600)
    /// The longest time from `sent` to `actAt`.
    public static let longestWait = Nanoseconds.seconds(60)
    /// When the copies of a datagram are sent, from the first on. They get farther apart, so that bursts of losses that are
    /// 38 ms long on average lose all of them less often than once in ten thousand times, at 5 % loss. The last one leaves
    /// 40 ms of the 300 within which every box is to act.
    public static let copies: [Nanoseconds] = [0, 20, 60, 120, 190, 260].map { .milliseconds($0) }

    public var target: OrderTarget
    /// Grows from command to command of the same key.
    public var sequence: Int64
    /// When it was signed, by the sender's clock.
    public var sent: WallTime
    /// When all boxes carry it out together; nil: each as soon as it has it.
    public var actAt: WallTime?
    public var expires: WallTime
    /// Name of the command.
    public var command: String
    /// An object.
    public var arguments: JSONValue

    public init(
        target: OrderTarget, sequence: Int64, sent: WallTime, actAt: WallTime? = nil, expires: WallTime,
        command: String, arguments: JSONValue = [:]
    ) {
        self.target = target
        self.sequence = sequence
        self.sent = sent
        self.actAt = actAt
        self.expires = expires
        self.command = command
        self.arguments = arguments
    }

    public var json: JSONValue {
        var members: [String: JSONValue] = [
            "groupCommand": 1, "target": target.json, "sequence": .integer(sequence),
            "sent": .string(sent.description), "expires": .string(expires.description), "command": .string(command),
            "arguments": arguments,
        ]
        members["at"] = actAt.map { .string($0.description) }
        return .object(members)
    }

    /// The payload that says this.
    public var octets: [UInt8] { json.octets() }
}
