// SPDX-License-Identifier: Apache-2.0

/// A straight line through values that were taken one after the other, by least squares.
public struct Trend: CustomStringConvertible {
    /// Of a step from one value to the next.
    public let slope: Double
    /// The standard error of `slope`. Neighbours resemble each other, so it is that of the means of sixteen stretches.
    public let error: Double
    public let mean: Double
    public let range: ClosedRange<Double>

    /// - Parameter values: at least 32.
    public init(_ values: [Double]) {
        let stretch = max(1, values.count / 16)
        let means = stride(from: 0, to: values.count - stretch + 1, by: stretch).map { start in
            values[start..<start + stretch].reduce(0, +) / Double(stretch)
        }
        let (slope, error) = Self.line(means)
        self.slope = slope / Double(stretch)
        self.error = error / Double(stretch)
        mean = values.reduce(0, +) / Double(max(1, values.count))
        range = (values.min() ?? 0)...(values.max() ?? 0)
    }

    private static func line(_ values: [Double]) -> (slope: Double, error: Double) {
        let count = Double(values.count)
        let (middle, mean) = ((count - 1) / 2, values.reduce(0, +) / count)
        var (above, below) = (0.0, 0.0)
        for (place, value) in values.enumerated() {
            above += (Double(place) - middle) * (value - mean)
            below += (Double(place) - middle) * (Double(place) - middle)
        }
        guard below > 0, count > 2 else { return (0, 0) }
        let slope = above / below
        var rest = 0.0
        for (place, value) in values.enumerated() {
            let off = value - mean - slope * (Double(place) - middle)
            rest += off * off
        }
        return (slope, (rest / (count - 2) / below).squareRoot())
    }

    /// Whether there is no slope that the noise does not explain, or none of `most` at least.
    public func isFlat(within most: Double) -> Bool { slope - 2 * error <= 0 || slope <= most }

    private static func text(_ value: Double) -> String { "\((value * 1_000).rounded() / 1_000)" }

    public var description: String {
        "\(Self.text(slope)) ± \(Self.text(error)) a step, mean \(Self.text(mean)), "
            + "\(Self.text(range.lowerBound))...\(Self.text(range.upperBound))"
    }
}
