// SPDX-License-Identifier: Apache-2.0
import Provisioning
import Statistics

/// What became of the datagrams and messages that were to be group commands.
struct GroupCommandCounters {
    var acted = 0
    var failed = 0
    var copies = 0
    /// Files that were written.
    var writes = 0
    /// Pauses of the ports.
    var rests = 0
    private var refused: [CommandRefusal.Reason: Int] = [:]

    mutating func count(_ reason: CommandRefusal.Reason) { refused[reason, default: 0] += 1 }

    static let statistics: [Statistic<Self>] =
        [
            .counter("acted", \.acted, "commands", "Group commands that were carried out.", .page),
            .counter("failed", \.failed, "commands", "Group commands that were genuine and failed.", .fault),
            .counter("copies", \.copies, "datagrams", "Further copies of group commands that were taken."),
            .counter("writes", \.writes, "files", "Times that the sequences that were had were written."),
            .counter("rests", \.rests, "pauses", "Pauses because datagrams came too fast.", .fault),
        ]
        + CommandRefusal.Reason.allCases.map { reason in
            Statistic("refused", .counter, "datagrams", "Group commands that were refused, by reason.", .fault) {
                counters in
                .integer(Int64(counters.refused[reason] ?? 0))
            }.labelled("reason", reason.rawValue, at: "refused", reason.rawValue)
        }
}
