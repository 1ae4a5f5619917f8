// SPDX-License-Identifier: Apache-2.0
import Glibc

/// How much a test repeats: less in an emulator, which is slower by an order of magnitude and whose machine is tested
/// natively as well. The soak has `TOUCHLINE_EFFORT` times as many seeds.
public enum Effort {
    public static let isEmulated = getenv("TOUCHLINE_EMULATOR") != nil

    private static let factor = getenv("TOUCHLINE_EFFORT").flatMap { Int(String(cString: $0)) } ?? 1

    public static func scaled(_ count: Int) -> Int { isEmulated ? max(1, count / 20) : count }

    /// `1...count`, to be seeds.
    public static func seeds(_ count: Int) -> ClosedRange<UInt64> { 1...UInt64(scaled(count) * factor) }
}
