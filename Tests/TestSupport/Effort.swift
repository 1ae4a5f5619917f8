// SPDX-License-Identifier: Apache-2.0
import Glibc

/// How much a test repeats: less in an emulator, which is slower by an order of magnitude and whose machine is tested
/// natively as well. There are `TOUCHLINE_EFFORT` times as many seeds: more in the soak, and a part of them for a second
/// compiler.
public enum Effort {
    public static let isEmulated = getenv("TOUCHLINE_EMULATOR") != nil

    private static let factor = getenv("TOUCHLINE_EFFORT").flatMap { Double(String(cString: $0)) } ?? 1

    /// Whether there are fewer seeds than a test asks for, of which not every case can be expected.
    public static let isReduced = isEmulated || factor < 1

    public static func scaled(_ count: Int) -> Int { isEmulated ? max(1, count / 20) : count }

    /// `1...count`, to be seeds.
    public static func seeds(_ count: Int) -> ClosedRange<UInt64> {
        1...UInt64(max(1, (Double(scaled(count)) * factor).rounded()))
    }

    /// `TOUCHLINE_SEED`, by which a soak differs from the last one; else 0. A test adds it to its seeds.
    public static let seed = getenv("TOUCHLINE_SEED").flatMap { UInt64(String(cString: $0)) } ?? 0

    /// The same in twenty parts: of a test of which a hundred thousand would be more than the library remembers well.
    public static func batches(_ count: Int) -> [ClosedRange<UInt64>] {
        let all = seeds(count)
        let size = max(1, UInt64(all.count) / 20)
        return stride(from: all.lowerBound, through: all.upperBound, by: UInt64.Stride(size)).map {
            $0...min(all.upperBound, $0 + size - 1)
        }
    }

    /// All of them in a soak; else the first half of `most`, and of the others every so many.
    public static func sample(_ all: ClosedRange<Int>, most: Int) -> [Int] {
        let most = max(2, scaled(most))
        guard factor <= 1, all.count > most else { return Array(all) }
        let rest = all.lowerBound + most / 2
        return Array(all.lowerBound..<rest) + stride(from: rest, through: all.upperBound, by: 2 * all.count / most)
    }
}
