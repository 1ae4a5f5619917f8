// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import TestSupport

/// Makes values from their description: valid ones at and within their bounds, and such that have one fault. The rules
/// between fields are not in the description, so that a generated document can break them.
public struct DocumentGenerator {
    /// A value with one fault.
    public struct Faulty {
        public let value: JSONValue
        /// The pointer at which the fault has to be told.
        public let path: String
    }

    /// The longest text and list that are made, so that a document stays small.
    private static let (longestText, longestList) = (300, 64)

    var random: SplitMix64
    /// In percent: how probable it is that a member that may be absent is there.
    private let density: Int
    /// The number of values until the one that gets a fault; nil for none.
    private var countdown: Int?
    private var faultPath: String?

    public init(seed: UInt64, density: Int = 30) {
        random = SplitMix64(seed: seed)
        self.density = density
    }

    /// A valid value.
    public mutating func value(of kind: ValueKind) -> JSONValue {
        countdown = nil
        return make(kind, at: "")
    }

    /// A value with one fault, somewhere.
    public mutating func faulty(_ kind: ValueKind) -> Faulty {
        (countdown, faultPath) = (Int.random(in: 1...24, using: &random), nil)
        let value = make(kind, at: "")
        if let faultPath { return Faulty(value: value, path: faultPath) }
        // The document was too small for the place that was drawn.
        let name = "unknown"
        return Faulty(value: value.merging(patch: .object([name: 1])), path: "/\(name)")
    }

    mutating func make(_ kind: ValueKind, at path: String) -> JSONValue {
        if let left = countdown {
            countdown = left - 1
            if left <= 1, faultPath == nil, let fault = fault(in: kind, at: path) {
                faultPath = fault.path
                return fault.value
            }
        }
        return valid(kind, at: path)
    }

    // MARK: Valid values

    private mutating func valid(_ kind: ValueKind, at path: String) -> JSONValue {
        switch kind {
        case .anything: return random.one(of: [.null, true, 7, "text", [1], ["a": [2]]])
        case .boolean: return .bool(random.percent(50))
        case .integer(let range): return integer(in: range)
        case .number: return random.one(of: [0, -1.5, 1e9])
        case .text(let length): return .string(text(in: length))
        case .formatted(let format):
            guard let samples = FormatSamples.samples(of: format) else {
                preconditionFailure("FormatSamples has none of \(format.expectation)")
            }
            return .string(random.one(of: samples.taken))
        case .choice(let words): return .string(random.one(of: words))
        case .list(let element, let count):
            return .array((0..<length(in: count)).map { make(element, at: "\(path)/\($0)") })
        case .map(let element):
            let keys = random.one(of: [[], ["a"], ["z09", String(repeating: "k", count: 32)]])
            var members: [String: JSONValue] = [:]
            for key in keys { members[key] = random.percent(10) ? .null : make(element, at: "\(path)/\(key)") }
            return .object(members)
        case .record(let fields): return record(fields, at: path)
        case .wordOr(let words, let other):
            return random.percent(50) ? .string(random.one(of: words)) : make(other, at: path)
        case .textOr(let length, let other):
            // A text in place of the other kind is no fault; this kind has faults of its own.
            let left = countdown
            countdown = nil
            defer { countdown = left }
            return random.percent(50) ? .string(text(in: length)) : make(other, at: path)
        case .nullable(let other): return random.percent(20) ? .null : make(other, at: path)
        }
    }

    private mutating func record(_ fields: [FieldDescription], at path: String) -> JSONValue {
        var members: [String: JSONValue] = [:]
        for field in fields where field.isRequired || random.percent(density) {
            let isNull = !field.isRequired && random.percent(8)
            members[field.name] = isNull ? .null : make(field.type, at: "\(path)/\(field.name)")
        }
        return .object(members)
    }

    /// A bound, or anything between. JSON Schema counts a number without a fraction as an integer, too.
    private mutating func integer(in range: ClosedRange<Int64>) -> JSONValue {
        let value = random.one(of: [range.lowerBound, range.upperBound, Int64.random(in: range, using: &random)])
        return random.percent(5) && abs(value) < 1 << 40 ? .number(Double(value)) : .integer(value)
    }

    /// Letters of several scripts, of one code point each.
    func text(of length: Int) -> String {
        let letters: [Character] = ["a", "Z", "\u{e9}", " ", "\u{416}", "\"", "\\", "\u{1d11e}", "/", "~"]
        return String((0..<length).map { letters[$0 % letters.count] })
    }

    private mutating func text(in length: ClosedRange<Int>) -> String {
        let most = min(length.upperBound, Self.longestText)
        let usual = Int.random(in: length.lowerBound...min(most, max(length.lowerBound, 12)), using: &random)
        let count = random.one(of: [usual, usual, usual, usual, length.lowerBound, most])
        // Names are to differ, because many have to be unique.
        let number = "\(Int.random(in: 0...999_999, using: &random))"
        return count > 8 ? number + text(of: count - number.count) : text(of: count)
    }

    /// Of a list: mostly short, seldom at its bound.
    private mutating func length(in count: ClosedRange<Int>) -> Int {
        if count.upperBound <= Self.longestList, random.percent(2) { return count.upperBound }
        return Int.random(in: count.lowerBound...min(count.upperBound, count.lowerBound + 2), using: &random)
    }
}
