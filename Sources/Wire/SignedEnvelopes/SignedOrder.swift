// SPDX-License-Identifier: Apache-2.0
import JSON
import Time

/// An order to change settings, as the payload of an envelope has it. `config/PUSH.md` describes it.
public struct SignedOrder: Equatable, Sendable {
    public static let payloadType = "application/vnd.touchline.order+json"
    /// The longest payload, in octets: 256 KiB of settings, and what stands round them.
    public static let mostOctets = 264 << 10
    /// What a JSON number holds exactly.
    public static let revisions: ClosedRange<Int64> = 1...(1 << 53)
    public static let confirmations: ClosedRange<Int64> = 10...3_600

    /// How the settings change.
    public enum Change: Equatable, Sendable {
        /// By a JSON Merge Patch (RFC 7396).
        case merge(JSONValue)
        /// By a whole document.
        case replace(JSONValue)
    }

    public var target: OrderTarget
    /// Grows from order to order, for all boxes of a venue together.
    public var revision: Int64
    /// The revision of the order that the box has to have in force; nil if any may be.
    public var base: Int64?
    /// nil if the order counts from the beginning of time.
    public var notBefore: WallTime?
    public var expires: WallTime
    /// Seconds within which somebody has to confirm the change, which is undone otherwise; nil if nobody has to.
    public var confirmWithin: Int64?
    /// For people; nil if nobody wrote one.
    public var comment: String?
    public var change: Change

    public init(
        target: OrderTarget, revision: Int64, base: Int64? = nil, notBefore: WallTime? = nil, expires: WallTime,
        confirmWithin: Int64? = nil, comment: String? = nil, change: Change
    ) {
        self.target = target
        self.revision = revision
        self.base = base
        self.notBefore = notBefore
        self.expires = expires
        self.confirmWithin = confirmWithin
        self.comment = comment
        self.change = change
    }

    public var json: JSONValue {
        let settings: JSONValue =
            switch change {
            case .merge(let patch): ["merge": patch]
            case .replace(let whole): ["replace": whole]
            }
        var members: [String: JSONValue] = [
            "order": 1, "target": target.json, "revision": .integer(revision), "expires": .string(expires.description),
            "settings": settings,
        ]
        members["base"] = base.map { .integer($0) }
        members["notBefore"] = notBefore.map { .string($0.description) }
        members["confirmWithinS"] = confirmWithin.map { .integer($0) }
        members["comment"] = comment.map { .string($0) }
        return .object(members)
    }

    /// The payload that says this.
    public var octets: [UInt8] { json.octets() }
}
