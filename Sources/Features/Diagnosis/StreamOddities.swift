// SPDX-License-Identifier: Apache-2.0
import Playback
import Reception

/// What head-ends do differently from others and does no harm. A technician who looks for a fault meets it, and should not
/// take it for one.
extension StreamInfo {
    /// nil if there is none.
    var oddity: String? {
        if isAbsent { return "nothing comes on PID \(pid), which is listed as \(codec)" }
        guard isPlayed, let listedCodec else { return nil }
        return "PID \(pid) carries \(codec), and is listed as \(listedCodec)"
    }
}

extension ReceptionCounters {
    func oddities(since before: ReceptionCounters) -> [String] {
        func more(_ count: KeyPath<ReceptionCounters, Int64>) -> Int64 { self[keyPath: count] - before[keyPath: count] }
        var found: [String] = []
        if more(\.cutDatagrams) > 0 { found.append("its datagrams cut packets, which are joined") }
        let datagrams = more(\.datagrams)
        if datagrams > 0, more(\.duplicatePackets) >= datagrams / 3, lostBySecondPath == 0, lostByFirstPath == 0 {
            found.append("its datagrams come more than once")
        }
        return found
    }
}
