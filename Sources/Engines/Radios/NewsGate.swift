// SPDX-License-Identifier: Apache-2.0
import Time

/// Lets pass at most five pieces of news of a kind in each second.
struct NewsGate {
    private static let most = 5
    /// When the last ones of each kind were passed on, oldest first.
    private var passed = [[Monotonic]](repeating: [], count: RadioNews.Kind.count)
    /// How many were held back.
    private(set) var withheld: UInt64 = 0

    mutating func admits(_ kind: RadioNews.Kind, at now: Monotonic) -> Bool {
        let ordinal = kind.ordinal
        if passed[ordinal].count == Self.most {
            guard now - passed[ordinal][0] >= .seconds(1) else {
                withheld &+= 1
                return false
            }
            passed[ordinal].removeFirst()
        }
        passed[ordinal].append(now)
        return true
    }
}
