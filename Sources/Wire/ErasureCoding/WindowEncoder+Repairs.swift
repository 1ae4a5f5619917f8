// SPDX-License-Identifier: Apache-2.0
import Time

extension WindowEncoder {
    /// Repairs of a window with so many packets, all of them for a full one. A window ended by time has twice as many as it
    /// has packets, or twice its share of a full window's if that is more, and two: never can more be needed than it has
    /// packets, the others stand in for repairs that are lost themselves. So a short window is safer than a full one, but
    /// a lone packet does not take the air of a whole window. More of them would not help against a burst, which is long in
    /// time: the few go out evenly over the same time, after an end that lies most of `span` behind its first packet.
    func repairs(of packets: Int) -> Int {
        let share = (packets * windows.repairPackets + windows.sourcePackets - 1) / windows.sourcePackets
        return min(windows.repairPackets, 2 * max(packets, share) + 2)
    }

    /// When the next repair of a window is to go out: the first at its end, the others evenly during `repairSpan`.
    func due(_ window: SentWindow) -> Monotonic {
        window.end + repairSpan * Int64(window.repairsSent) / Int64(window.repairs)
    }

    /// Hands out repairs until so many are out; after the last the window's place is free.
    func handOut(_ index: Int, until wanted: Int, _ repair: (UnsafeRawBufferPointer) -> Void) {
        while held[index].repairsSent < wanted {
            let number = held[index].repairsSent
            let symbol = memory.symbol(windows.sourcePackets + number, ofWindow: index)
            let start = symbol - PayloadIdentifier.size
            PayloadIdentifier(
                block: held[index].block, symbol: held[index].count + number, sourceCount: held[index].count
            ).write(to: start)
            repair(UnsafeRawBufferPointer(start: start, count: held[index].octets + PayloadIdentifier.size))
            held[index].repairsSent = number + 1
        }
        if held[index].repairsSent == held[index].repairs { held[index].phase = .free }
    }
}
