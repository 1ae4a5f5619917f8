// SPDX-License-Identifier: Apache-2.0
import Time

/// Arithmetic on the interval between two PCRs.
enum PCRInterval {
    /// Ticks of 27 MHz after which the PCR wraps.
    static let modulus: Int64 = 300 << 33

    /// Ticks between two PCRs, the shorter way around; negative if the clock went back.
    static func ticks(from before: UInt64, to after: UInt64) -> Int64 {
        let step = (Int64(truncatingIfNeeded: after) &- Int64(truncatingIfNeeded: before)) % modulus
        let forward = step < 0 ? step + modulus : step
        return forward > modulus / 2 ? forward - modulus : forward
    }

    static func span(_ ticks: Int64) -> Nanoseconds { Nanoseconds(ticks &* 1_000 / 27) }
}
