// SPDX-License-Identifier: Apache-2.0

/// What rows and columns of parity can bring back, from the losses alone: no packet, no sequence number, no parity.
public enum PeelingSolver {
    /// - Parameters:
    ///   - lost: packets by their index.
    ///   - sums: the packets that each parity packet sums, of those parity packets that came.
    /// - Returns: what stays lost.
    public static func remainder(lost: Set<Int>, sums: [[Int]]) -> Set<Int> {
        var lost = lost
        while true {
            let single = sums.compactMap { sum in
                let missing = sum.filter { lost.contains($0) }
                return missing.count == 1 ? missing[0] : nil
            }
            if single.isEmpty { return lost }
            lost.subtract(single)
        }
    }
}
