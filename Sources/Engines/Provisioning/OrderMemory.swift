// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import SignedEnvelopes
import Time

/// What a box remembers of the orders that it had, for ever: a factory reset leaves it.
public struct OrderMemory: Equatable, KeptMemory {
    public static let fileName = "push.json"

    /// The highest revision of an order that was genuine and for this box; 0 if there was none. Nothing up to it is taken
    /// again.
    public var highest: Int64
    /// The revision of the order that the settings took last; nil if there is none, or if it is not known because the box
    /// ended while an order was being applied.
    public var applied: Int64?
    /// The revision of the settings that this order has become; nil if there is none.
    public var settings: Int?
    /// The latest time of a clock that was set.
    public var savedTime: WallTime

    public init() { self.init(highest: 0) }

    public init(
        highest: Int64 = 0, applied: Int64? = nil, settings: Int? = nil,
        savedTime: WallTime = WallTime(nanoseconds: 0)
    ) {
        self.highest = highest
        self.applied = applied
        self.settings = settings
        self.savedTime = savedTime
    }

    public var octets: [UInt8] {
        var members: [String: JSONValue] = [
            "memory": 1, "highest": .integer(highest), "savedTime": .string(savedTime.description),
        ]
        members["applied"] = applied.map { .integer($0) }
        members["settings"] = settings.map { .integer(Int64($0)) }
        return JSONValue.object(members).octets(pretty: true)
    }

    private static let kind = ValueKind.record([
        FieldDescription("memory", .integer(1...1), .required, "Version of the file's form."),
        FieldDescription("highest", .integer(0...SignedOrder.revisions.upperBound), .required, "Highest revision."),
        FieldDescription("applied", .integer(SignedOrder.revisions), .optional, "Revision in force."),
        FieldDescription(
            "settings", .integer(1...SignedOrder.revisions.upperBound), .optional, "Revision of the settings."),
        FieldDescription("savedTime", .formatted(.instant), .required, "Time of a clock that was set."),
    ])

    public init(parsing octets: [UInt8]) throws {
        let document = try JSONValue.parse(octets, limits: JSONLimits(maximumDepth: 1, maximumOctets: 4_096))
        if let problem = Self.kind.problems(of: document).first { throw EnvelopeError.invalid([problem]) }
        guard let highest = document["highest"]?.integer,
            let saved = document["savedTime"]?.string.flatMap({ WallTime(rfc3339: $0) })
        else { preconditionFailure("the kind lets nothing pass without them") }
        self.init(
            highest: highest, applied: document["applied"]?.integer,
            settings: document["settings"]?.integer.map { Int($0) }, savedTime: saved)
    }
}
