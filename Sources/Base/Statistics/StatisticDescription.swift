// SPDX-License-Identifier: Apache-2.0
import JSON

/// What is known of a statistic but its value.
public struct StatisticDescription: Sendable, Hashable {
    public enum Kind: String, Sendable {
        /// Only grows while its engine lives.
        case counter
        /// The value now.
        case gauge
        case text
        case histogram
    }

    /// What whoever shows it is told.
    public struct Traits: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Above 0 something went wrong.
        public static let fault = Traits(rawValue: 1)
        /// Among those that the live page shows.
        public static let page = Traits(rawValue: 2)
        /// Among those that a technician reads on the screen first (SVM-69).
        public static let screen = Traits(rawValue: 4)
        /// Among these while it is not 0.
        public static let screenUnlessZero = Traits(rawValue: 8)
    }

    /// As in `stats`, camelCase.
    public let name: String
    public let kind: Kind
    public let unit: StatisticUnit
    /// A sentence.
    public let help: String
    public let traits: Traits
    /// What the values from 0 on mean; empty for a number.
    public var states: [String] = []
    /// What the reference calls it (SVM-101…126); nil for what is ours alone.
    public var reference: String?
    /// Where it stands in its group of `stats`; `[name]` unless it is one of several of its name.
    public var path: [String]
    /// What tells it from others of its name in its group; by name.
    public var labels: [String: String] = [:]

    init(_ name: String, _ kind: Kind, _ unit: StatisticUnit, _ help: String, _ traits: Traits) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.help = help
        self.traits = traits
        path = [name]
    }

    public var json: JSONValue {
        var result: JSONValue = [
            "kind": .string(kind.rawValue), "unit": .string(unit.symbol), "help": .string(help),
            "isFault": .bool(traits.contains(.fault)), "isOnPage": .bool(traits.contains(.page)),
        ]
        if !states.isEmpty { result["states"] = .array(states.map { .string($0) }) }
        return result
    }
}
