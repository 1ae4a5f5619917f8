// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport

/// How many random cases are tried: `TOUCHLINE_DRAWS`, which the soak sets to 10,000, else a hundredth of that.
enum Draws {
    static let asked: Int? = getenv("TOUCHLINE_DRAWS").flatMap { Int(String(cString: $0)) }
    static let count = asked ?? Effort.scaled(100)
    /// Minutes of the flow for each seed of a simulation.
    static let minutes = asked.map { $0 >= 10_000 ? 10 : 1 } ?? 1
}
