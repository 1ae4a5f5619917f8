// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

extension DocumentGenerator {
    /// A value that the kind refuses; nil for a kind that takes everything.
    mutating func fault(in kind: ValueKind, at path: String) -> Faulty? {
        if case .anything = kind { return nil }
        let other = Faulty(value: random.one(of: Self.otherTypes(than: kind)), path: path)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return other
        case 1: return Faulty(value: nonsense(unlike: kind), path: path)
        default: return ownFault(of: kind, at: path) ?? other
        }
    }

    /// Values of JSON types that the kind does not take.
    private static func otherTypes(than kind: ValueKind) -> [JSONValue] {
        switch kind {
        case .anything: []
        case .boolean: [0, "true", [], [:]]
        case .integer: ["7", true, 1.5, [], [:]]
        case .number: ["7", true, [], [:]]
        case .text, .formatted, .choice: [7, false, [], [:]]
        case .list: ["", 0, true, [:]]
        case .map, .record: ["", 0, true, []]
        case .wordOr(_, let other), .textOr(_, let other): otherTypes(than: other).filter { $0.string == nil }
        case .nullable(let other): otherTypes(than: other)
        }
    }

    /// Objects in arrays in objects, deeper than any description goes.
    private func nonsense(unlike kind: ValueKind) -> JSONValue {
        var value: JSONValue = 1
        for _ in 0..<12 { value = ["x": [value, .null]] }
        return switch kind {
        case .map, .record: [value]
        case .nullable(let other), .wordOr(_, let other), .textOr(_, let other): nonsense(unlike: other)
        default: value
        }
    }

    /// A value of the right type that is out of the kind's bounds; nil if the kind has no bounds.
    private mutating func ownFault(of kind: ValueKind, at path: String) -> Faulty? {
        func here(_ value: JSONValue) -> Faulty { Faulty(value: value, path: path) }
        switch kind {
        case .integer(let range):
            let below = range.lowerBound.subtractingReportingOverflow(1)
            let above = range.upperBound.addingReportingOverflow(1)
            return [below, above].filter { !$0.overflow }.randomElement(using: &random).map {
                here(.integer($0.partialValue))
            }
        case .text(let length), .textOr(let length, _):
            var texts = ["a\u{7}b", "\u{9f}"]
            if length.upperBound <= 4_096 { texts.append(text(of: length.upperBound + 1)) }
            if length.lowerBound > 0 { texts.append(text(of: length.lowerBound - 1)) }
            return here(.string(random.one(of: texts)))
        case .formatted(let format):
            return FormatSamples.samples(of: format).map { here(.string(random.one(of: $0.refused))) }
        case .choice: return here("no such word")
        case .wordOr: return here("no such word")
        case .list(let element, let count):
            if count.lowerBound > 0, random.percent(50) { return here([]) }
            guard count.upperBound <= 4_096 else { return nil }
            var one = DocumentGenerator(seed: random.next(), density: 0)
            return here(.array(Array(repeating: one.value(of: element), count: count.upperBound + 1)))
        case .map(let element):
            var one = DocumentGenerator(seed: random.next())
            return Faulty(value: ["Bad Key": one.value(of: element)], path: "\(path)/Bad Key")
        case .record(let fields): return faultyRecord(fields, at: path)
        case .nullable(let other): return ownFault(of: other, at: path)
        case .anything, .boolean, .number: return nil
        }
    }

    /// A record with a member that nobody knows, or without one that has to be there.
    private mutating func faultyRecord(_ fields: [FieldDescription], at path: String) -> Faulty {
        var one = DocumentGenerator(seed: random.next(), density: 10)
        var value = one.value(of: .record(fields))
        let required = fields.filter(\.isRequired).map(\.name)
        if let name = required.randomElement(using: &random), random.percent(50) {
            value[name] = nil
            return Faulty(value: value, path: "\(path)/\(name)")
        }
        value["nobodyKnows"] = random.one(of: [1, "", [:]])
        return Faulty(value: value, path: "\(path)/nobodyKnows")
    }
}
