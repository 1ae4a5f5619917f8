// SPDX-License-Identifier: Apache-2.0
import Testing
import Venue

@testable import ErasureCoding

/// What must come of a flow of which some datagrams did not arrive, worked out without any code.
struct WindowLedger {
    var expected = WindowCounters()
    /// Sources that arrived or can be made again.
    var packets: Set<[UInt8]> = []
    /// Of those, the ones that did not arrive.
    var recovered: Set<[UInt8]> = []

    /// - Parameter arrived: by place in `flow.sent`.
    init(_ flow: ProtectedFlow, arrived: [Bool]) {
        let blocks = Dictionary(grouping: flow.sent.indices) { flow.sent[$0].id.block }
        // A window of which nothing came, nor of a later one, was never heard of.
        let last = flow.sent.indices.filter { arrived[$0] }.map { flow.sent[$0].id.block }.max() ?? 0
        for (block, places) in blocks where block <= last {
            let sources = places.filter { !flow.sent[$0].isRepair }
            let lost = sources.filter { !arrived[$0] }
            let repairs = places.count { flow.sent[$0].isRepair && arrived[$0] }
            expected.windows += 1
            let isRepaired = lost.count <= repairs
            for place in sources where arrived[place] || isRepaired { packets.insert(flow.sent[place].packet) }
            // Without a repair nobody knows that a window is shorter than planned.
            let planned = sources.contains { arrived[$0] } ? flow.sent[sources[0]].id.sourceCount : nil
            let missing =
                repairs > 0 ? lost.count : (planned ?? flow.windows.sourcePackets) - sources.count + lost.count
            if missing == 0 {
                expected.withoutLoss += 1
            } else if isRepaired, repairs > 0 {
                expected.repaired += 1
                expected.recoveredPackets += Int64(missing)
                recovered.formUnion(lost.map { flow.sent[$0].packet })
            } else {
                expected.failed += 1
                expected.unrecoveredPackets += Int64(missing)
            }
            if (repairs > 0 ? sources.count : planned ?? flow.windows.sourcePackets) + flow.windows.repairPackets
                > RepairWindows.advisedPackets
            {
                expected.oversized += 1
            }
        }
    }
}
