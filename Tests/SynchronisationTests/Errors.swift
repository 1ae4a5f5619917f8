// SPDX-License-Identifier: Apache-2.0

/// Magnitudes of errors, nanoseconds.
struct Errors {
    private var values: [Int64] = []

    mutating func add(_ error: Int64) { values.append(abs(error)) }

    mutating func add(_ others: Errors) { values += others.values }

    func quantile(_ part: Double) -> Int64 {
        guard !values.isEmpty else { return .max }
        return values.sorted()[Int(part * Double(values.count - 1))]
    }

    var median: Int64 { quantile(0.5) }
    var nearlyAll: Int64 { quantile(0.99) }
}
