// SPDX-License-Identifier: Apache-2.0

extension SplitMix64 {
    /// True with this probability, in percent.
    public mutating func percent(_ chance: Int) -> Bool { Int.random(in: 0..<100, using: &self) < chance }

    /// - Parameter values: at least one.
    public mutating func one<T>(of values: [T]) -> T { values[Int.random(in: values.indices, using: &self)] }
}
