// SPDX-License-Identifier: Apache-2.0
import Time

extension WindowEncoder {
    /// When the next repair of a window is to go out: the first at its end, the others evenly during `repairSpan`.
    func due(_ window: SentWindow) -> Monotonic {
        window.end + repairSpan * Int64(window.repairsSent) / Int64(windows.repairPackets)
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
        if held[index].repairsSent == windows.repairPackets { held[index].phase = .free }
    }
}
