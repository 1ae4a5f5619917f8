// SPDX-License-Identifier: Apache-2.0
import Provisioning
import Statistics

/// How many orders were taken, and how many refused for which reason.
struct OrderCounters {
    var accepted = 0
    private var refused: [OrderRefusal.Reason: Int] = [:]

    mutating func count(_ reason: OrderRefusal.Reason) { refused[reason, default: 0] += 1 }

    static let statistics: [Statistic<Self>] =
        [.counter("accepted", \.accepted, "orders", "Signed orders that are, or were, in force.", .page)]
        + OrderRefusal.Reason.allCases.map { reason in
            Statistic("refused", .counter, "orders", "Orders that were refused, by reason.", .fault) { counters in
                .integer(Int64(counters.refused[reason] ?? 0))
            }.labelled("reason", reason.rawValue, at: "refused", reason.rawValue)
        }
}
