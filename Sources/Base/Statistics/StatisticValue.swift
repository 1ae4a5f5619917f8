// SPDX-License-Identifier: Apache-2.0
import JSON

/// The value of a statistic at one instant.
public enum StatisticValue: Sendable, Hashable {
    case integer(Int64)
    case flag(Bool)
    case text(String)
    case texts([String])
    case histogram(Histogram)
    /// The statistic applies, but its value is not known yet.
    case unknown

    public var json: JSONValue {
        switch self {
        case .integer(let value): .integer(value)
        case .flag(let value): .bool(value)
        case .text(let text): .string(text)
        case .texts(let texts): .array(texts.map { .string($0) })
        case .histogram(let histogram): histogram.json
        case .unknown: .null
        }
    }

    public var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }
}
