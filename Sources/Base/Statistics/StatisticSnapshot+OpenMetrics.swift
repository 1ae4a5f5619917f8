// SPDX-License-Identifier: Apache-2.0

extension StatisticSnapshot {
    public static let openMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    /// The snapshot as OpenMetrics 1.0 text. The samples of one metric family stand together, whatever groups they come
    /// from.
    /// - Parameter prefix: beginning of every family's name: `touchline`.
    public func openMetrics(prefix: String) -> String {
        var order: [String] = []
        var families: [String: (head: String, samples: String)] = [:]
        for group in groups {
            for (about, value) in group.members {
                guard let samples = Self.samples(of: about, value, group.labels) else { continue }
                let family = "\(prefix)_\(Self.snake(group.name))_\(Self.stem(about))"
                if families[family] == nil {
                    order.append(family)
                    families[family] = (Self.head(of: family, about), "")
                }
                for sample in samples {
                    families[family]?.samples += "\(family)\(sample.suffix)\(sample.labels) \(sample.value)\n"
                }
            }
        }
        var text = ""
        for family in order {
            guard let (head, samples) = families[family] else { continue }
            text += head + samples
        }
        return text + "# EOF\n"
    }

    private static func head(of family: String, _ about: StatisticDescription) -> String {
        let type =
            switch about.kind {
            case .counter: "counter"
            case .gauge: "gauge"
            case .text: "info"
            case .histogram: "histogram"
            }
        let unit = about.unit.base.isEmpty ? "" : "# UNIT \(family) \(about.unit.base)\n"
        return "# TYPE \(family) \(type)\n\(unit)# HELP \(family) \(escaped(about.help))\n"
    }

    /// The statistic's name without its unit, then the base unit that OpenMetrics uses.
    static func stem(_ about: StatisticDescription) -> String {
        let unit = about.unit
        var name = about.name
        if !unit.suffix.isEmpty, name.hasSuffix(unit.suffix), name != unit.suffix {
            name = String(name.dropLast(unit.suffix.count))
        }
        var stem = snake(name)
        // A family whose name ends in `_total` could be taken for a counter's sample.
        if about.kind == .counter, stem.hasSuffix("_total") { stem = String(stem.dropLast("_total".count)) }
        guard !unit.base.isEmpty, stem != unit.base, !stem.hasSuffix("_\(unit.base)") else { return stem }
        return stem == snake(unit.suffix) ? unit.base : "\(stem)_\(unit.base)"
    }

    // MARK: Samples

    private typealias Sample = (suffix: String, labels: String, value: String)

    /// The samples of one statistic; nil if its value is unknown.
    private static func samples(
        of about: StatisticDescription, _ value: StatisticValue, _ labels: [String: String]
    ) -> [Sample]? {
        let labels = labels.merging(about.labels) { $1 }
        let decimals = about.unit.decimals
        func one(_ suffix: String, _ value: String, _ more: [String: String] = [:]) -> Sample {
            (suffix, text(of: labels.merging(more) { $1 }), value)
        }
        switch value {
        case .integer(let number):
            // A counter below 0 is a bug of ours; written as it is, it would make the document invalid.
            return about.kind == .counter
                ? [one("_total", decimal(max(0, number), decimals))] : [one("", decimal(number, decimals))]
        case .flag(let flag): return [one("", flag ? "1" : "0")]
        case .text(let text): return [one("_info", "1", ["value": text])]
        case .texts(let texts): return [one("_info", "1", ["value": texts.joined(separator: ",")])]
        case .histogram(let histogram):
            var total: Int64 = 0
            var samples: [Sample] = []
            for (index, count) in histogram.buckets.enumerated() {
                total += count
                let isLast = index == histogram.bounds.count
                let bound = isLast ? "+Inf" : number(decimal(histogram.bounds[index], decimals))
                samples.append(one("_bucket", "\(total)", ["le": bound]))
            }
            return samples + [one("_count", "\(total)"), one("_sum", decimal(histogram.sum, decimals))]
        case .unknown: return nil
        }
    }

    private static func text(of labels: [String: String]) -> String {
        guard !labels.isEmpty else { return "" }
        let pairs = labels.sorted { $0.key < $1.key }.map { "\(snake($0.key))=\"\(escaped($0.value))\"" }
        return "{\(pairs.joined(separator: ","))}"
    }

    /// The decimal fraction value × 10^-decimals, exact: 1500 with three decimals is 1.5.
    static func decimal(_ value: Int64, _ decimals: Int) -> String {
        guard decimals > 0 else { return "\(value)" + (value == 0 ? "" : String(repeating: "0", count: -decimals)) }
        let digits = String(value.magnitude)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        var fraction = padded.suffix(decimals)
        while fraction.last == "0" { fraction.removeLast() }
        let whole = padded.dropLast(decimals)
        return (value < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : ".\(fraction)")
    }

    /// Bounds of buckets are written as floating-point numbers: 1 as 1.0.
    private static func number(_ decimal: String) -> String { decimal.contains(".") ? decimal : decimal + ".0" }

    /// The name in snake case: `presentedPTS` becomes `presented_pts`.
    static func snake(_ name: String) -> String {
        var result = ""
        var wasLower = false
        for letter in name {
            if letter.isUppercase, wasLower { result += "_" }
            wasLower = !letter.isUppercase
            result += letter.isLetter || letter.isNumber || letter == "_" ? letter.lowercased() : "_"
        }
        return result
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
