// SPDX-License-Identifier: Apache-2.0
import Time

/// The recovery of lost packets.
extension WindowRepairer {
    /// Recovers everything that is missing in a window that has enough repair symbols.
    /// - Returns: whether all of it is plausible; otherwise nothing of it may be delivered.
    func recover(_ index: Int) -> Bool {
        let window = held[index]
        let whole = SymbolMemory.wholeLines(window.octets)
        var count = 0
        for symbol in 0..<window.sources {
            guard window.received.contains(symbol) else {
                lost[count] = UInt8(truncatingIfNeeded: symbol)
                count += 1
                continue
            }
            let kept = memory.symbol(symbol, ofWindow: index)
            let octets = 3 + octets(of: kept)
            guard octets <= window.octets else { return false }
            (kept + octets).update(repeating: 0, count: whole - octets)
        }
        sum(index, UnsafeBufferPointer(rebasing: lost[..<count]), octets: whole)
        for number in 0..<count {
            let made = Int(lost[number])
            guard isPlausible(memory.symbol(made, ofWindow: index), octets: window.octets) else { return false }
            held[index].recovered.insert(made)
        }
        return true
    }

    /// Delivers the recovered packets in ascending order.
    func handOut(_ index: Int, _ deliver: Delivery) {
        for symbol in 0..<held[index].sources where held[index].recovered.contains(symbol) {
            let made = memory.symbol(symbol, ofWindow: index)
            deliver(
                UnsafeRawBufferPointer(start: made + 3, count: octets(of: made)), arrival(ofLost: symbol, in: index),
                true)
        }
    }

    /// L of an ADU information unit: the octets of its packet.
    func octets(of symbol: UnsafeMutablePointer<UInt8>) -> Int { Int(symbol[1]) << 8 | Int(symbol[2]) }

    private func sum(_ index: Int, _ lost: UnsafeBufferPointer<UInt8>, octets: Int) {
        let window = held[index]
        let start = index * windows.repairPackets
        let used = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(repairs)[start..<start + lost.count])
        code.find(lost, sources: window.sources, without: lost, with: used, into: arithmetic.coefficients)
        arithmetic.prepare(columns: window.sources, rows: lost.count)
        for number in 0..<lost.count {
            let made = memory.symbol(Int(lost[number]), ofWindow: index)
            made.update(repeating: 0, count: octets)
            arithmetic.sums[number] = made
        }
        var column = 0
        func add(_ symbol: Int) {
            arithmetic.add(
                memory.symbol(symbol, ofWindow: index), column: column, columns: window.sources, rows: lost.count,
                octets: octets)
            column += 1
        }
        for symbol in 0..<window.sources where window.received.contains(symbol) { add(symbol) }
        for number in 0..<lost.count { add(windows.sourcePackets + number) }
    }

    /// Whether a recovered ADU information unit, F|L|packet|zeros, is plausible: F is 0, L fits, the packet is RTP with
    /// the flow's SSRC, and only zeros follow it.
    private func isPlausible(_ symbol: UnsafeMutablePointer<UInt8>, octets: Int) -> Bool {
        let length = self.octets(of: symbol)
        guard symbol[0] == 0, length >= 12, 3 + length <= octets, symbol[3] >> 6 == 2 else { return false }
        let ssrc = UInt32(bigEndian: UnsafeRawPointer(symbol + 11).loadUnaligned(as: UInt32.self))
        guard synchronisation == nil || ssrc == synchronisation else { return false }
        return UnsafeBufferPointer(start: symbol + 3 + length, count: octets - 3 - length).allSatisfy { $0 == 0 }
    }

    /// The arrival to report for a recovered packet: that of the next packet received in the window, else of the
    /// previous one, else of the window.
    private func arrival(ofLost symbol: Int, in index: Int) -> Monotonic {
        let window = held[index]
        let start = index * windows.sourcePackets
        for next in symbol + 1..<max(window.sources, symbol + 1) where window.received.contains(next) {
            return arrivals[start + next]
        }
        for previous in (0..<symbol).reversed() where window.received.contains(previous) {
            return arrivals[start + previous]
        }
        return window.first
    }
}
