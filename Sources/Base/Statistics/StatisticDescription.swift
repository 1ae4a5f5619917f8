// SPDX-License-Identifier: Apache-2.0
import JSON

/// Everything about a statistic except its value.
public struct StatisticDescription: Sendable, Hashable {
    public enum Kind: String, Sendable {
        /// It only grows while its engine lives.
        case counter
        /// The current value, which may fall as well.
        case gauge
        case text
        case histogram
    }

    /// Hints for those who show the statistic.
    public struct Traits: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A value above 0 means that something went wrong.
        public static let fault = Traits(rawValue: 1)
        /// The live page shows it.
        public static let page = Traits(rawValue: 2)
    }

    /// Name in `stats`, in camelCase.
    public let name: String
    public let kind: Kind
    public let unit: StatisticUnit
    /// Help text: one sentence.
    public let help: String
    public let traits: Traits
    /// Names of the values 0, 1 and so on; empty if the value is a plain number.
    public var states: [String] = []
    /// Name in the reference's list of statistics (SVM-101…126); nil if that list does not have it.
    public var reference: String?
    /// Path of keys in its group of `stats`; `[name]` unless several statistics of the group share the name.
    public var path: [String]
    /// Labels that distinguish it from others of the same name in its group, by label name.
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
