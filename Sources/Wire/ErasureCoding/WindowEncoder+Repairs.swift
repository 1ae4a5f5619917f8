// SPDX-License-Identifier: Apache-2.0
import Time

extension WindowEncoder {
    /// Number of repair packets of a window with this number of packets; all of them for a full window. A window ended
    /// by time has two more than twice its packets, or two more than twice its share of a full window's repair packets
    /// if that is more. It never needs more than it has packets; the others replace lost repair packets. So a short
    /// window is safer than a full one, but a single packet does not cost the airtime of a whole window. More would not
    /// help against a burst, which is long in time: the few are sent evenly over the same time, and the window ends
    /// most of `span` after its first packet.
    func repairs(of packets: Int) -> Int {
        let share = (packets * windows.repairPackets + windows.sourcePackets - 1) / windows.sourcePackets
        return min(windows.repairPackets, 2 * max(packets, share) + 2)
    }

    /// When the next repair packet of a window is due: the first at its end, the others evenly during `repairSpan`.
    func due(_ window: SentWindow) -> Monotonic {
        window.end + repairSpan * Int64(window.repairsSent) / Int64(window.repairs)
    }

    /// Emits repair packets until `wanted` have been sent. After the last one the window is free.
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
