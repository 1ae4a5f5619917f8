// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// The packets of a window as they arrive.
extension WindowRepairer {
    /// Keeps a source packet, and delivers it unless it has been delivered as recovered.
    func keep(
        _ packet: UnsafeRawBufferPointer, _ id: PayloadIdentifier, in index: Int, at arrival: Monotonic,
        _ deliver: Delivery
    ) {
        if held[index].phase == .recovered, held[index].recovered.contains(id.symbol),
            !held[index].received.contains(id.symbol)
        {
            held[index].received.insert(id.symbol)
            held[index].receivedCount += 1
            if held[index].receivedCount == held[index].sources { end(index) }
            return
        }
        deliver(packet, arrival, false)
        guard held[index].phase == .open else { return }
        guard packet.count + 3 <= windows.symbolOctets else { return refuse(index, sources: id.sourceCount) }
        if held[index].sources == 0 {
            guard id.sourceCount <= windows.sourcePackets else { return refuse(index, sources: id.sourceCount) }
            held[index].sources = id.sourceCount
        }
        guard id.symbol < held[index].sources, held[index].received.insert(id.symbol) else { return }
        held[index].receivedCount += 1
        joined(index, id.symbol)
        held[index].highest = max(held[index].highest, id.symbol)
        arrivals[index * windows.sourcePackets + id.symbol] = arrival
        let symbol = memory.symbol(id.symbol, ofWindow: index)
        symbol[0] = 0
        symbol[1] = UInt8(truncatingIfNeeded: packet.count >> 8)
        symbol[2] = UInt8(truncatingIfNeeded: packet.count)
        UnsafeMutableRawBufferPointer(start: symbol + 3, count: packet.count).copyMemory(from: packet)
        complete(index, deliver)
    }

    /// Keeps a repair symbol.
    func keep(_ symbol: UnsafeRawBufferPointer, _ id: PayloadIdentifier, in index: Int, _ deliver: Delivery) {
        guard held[index].phase == .open else { return }
        if !held[index].isSure {
            guard id.sourceCount > held[index].highest else { return }
            guard id.sourceCount <= windows.sourcePackets else { return refuse(index, sources: id.sourceCount) }
            held[index].isSure = true
            held[index].sources = id.sourceCount
        }
        guard id.sourceCount == held[index].sources else { return }
        let number = id.symbol - id.sourceCount
        guard number < windows.repairPackets, symbol.count <= windows.symbolOctets else {
            return refuse(index, sources: id.sourceCount)
        }
        let count = held[index].repairCount
        if count == 0 { held[index].octets = symbol.count }
        guard symbol.count == held[index].octets, held[index].repairs.insert(number) else {
            return complete(index, deliver)
        }
        repairs[index * windows.repairPackets + count] = UInt8(truncatingIfNeeded: id.symbol)
        let kept = memory.symbol(windows.sourcePackets + count, ofWindow: index)
        UnsafeMutableRawBufferPointer(start: kept, count: symbol.count).copyMemory(from: symbol)
        held[index].repairCount = count + 1
        complete(index, deliver)
    }

    /// Whether a different packet was received for the same symbol, so that the two cannot be of one flow.
    func hasOther(_ packet: UnsafeRawBufferPointer, _ id: PayloadIdentifier) -> Bool {
        let distance = distance(to: id.block)
        guard 0..<heardCount ~= distance else { return false }
        let index = place(distance)
        guard held[index].received.contains(id.symbol) || held[index].recovered.contains(id.symbol) else {
            return false
        }
        let symbol = memory.symbol(id.symbol, ofWindow: index)
        return !UnsafeRawBufferPointer(start: symbol + 3, count: octets(of: symbol)).elementsEqual(packet)
    }

    /// Notes the first symbol of a window. When a window is received from its first packet on, all later windows began
    /// during reception.
    private func joined(_ index: Int, _ symbol: Int) {
        guard held[index].joinedAt > 0 else { return }
        if held[index].joinedAt == HeardWindow.unknown { held[index].joinedAt = symbol }
        guard held[index].joinedAt == 0, !hasJoined else { return }
        hasJoined = true
        var later = (index + 1) % held.count
        while (later + held.count - head) % held.count < heardCount, later != head {
            held[later].joinedAt = 0
            later = (later + 1) % held.count
        }
    }

    private func complete(_ index: Int, _ deliver: Delivery) {
        let window = held[index]
        guard window.phase == .open, window.sources > 0 else { return }
        let missing = window.sources - window.receivedCount
        if missing <= 0 {
            end(index)
        } else if missing <= window.repairCount {
            openCount -= 1
            held[index].phase = recover(index) ? .recovered : .spoiled
            if held[index].phase == .recovered { handOut(index, deliver) }
        }
    }
}
