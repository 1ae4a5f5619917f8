// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// Protects a flow of RTP packets with Reed–Solomon windows (FECFRAME, RFC 6363; RFC 6865 with m = 8).
///
/// Every packet is sent at once, followed by its payload id. `depth` windows take turns, one packet each; they end one
/// after the other, one every `sourcePackets` packets of the flow, never together. The repair packets of a window are
/// then sent evenly while the next one fills, during the last `1 / (depth + 1)` of `span`. A window that is not full
/// when they must begin ends as it is. So the repair of a packet is sent no later than `span` after it, if `tick` is
/// called in time; `RepairWindows.leastSpan` tells with which `span` windows fill. A window of few packets has fewer
/// repair packets (`repairs(of:)`). The k in their ids is the number of its packets; the ids of source packets have the
/// planned number.
///
/// It is used by one thread at a time. All memory is allocated in `init`.
public final class WindowEncoder {
    let windows: RepairWindows
    /// Time from the end of a window to its last repair packet.
    let repairSpan: Nanoseconds
    let memory: SymbolMemory
    let steady: RepairSums
    let short: RepairSums
    let held: UnsafeMutableBufferPointer<SentWindow>
    /// By turn: index in `held` of the window that is filling, or -1.
    private let filling: UnsafeMutableBufferPointer<Int>
    private var nextBlock: UInt32
    /// Packets since the flow began or continued after a pause.
    private var packets: UInt64 = 0
    private var fillingCount = 0

    /// - Parameter firstBlock: SBN of the first window, of which the low 24 bits are used. A random number lets
    ///   receivers notice a restart.
    /// - Returns: nil if the windows are not supported.
    public init?(_ windows: RepairWindows, firstBlock: UInt32 = 0) {
        guard windows.isSupported else { return nil }
        self.windows = windows
        let depth = windows.depth
        repairSpan = windows.span / Int64(depth + 1)
        nextBlock = firstBlock & BlockNumber.mask
        let count = 2 * depth + 1
        memory = SymbolMemory(
            windows: count, symbols: windows.sourcePackets + windows.repairPackets, octets: windows.symbolOctets)
        let code = EvaluationCode(windows.generator)
        steady = RepairSums(windows, code: code)
        short = RepairSums(windows, code: code)
        steady.prepare(sources: windows.sourcePackets, repairs: windows.repairPackets)
        held = .allocate(capacity: count)
        held.initialize(repeating: SentWindow())
        filling = .allocate(capacity: depth)
        filling.initialize(repeating: -1)
    }

    deinit {
        held.deallocate()
        filling.deallocate()
    }

    /// When `tick` next has something to do; nil if nothing is due.
    public var deadline: Monotonic? {
        var least: Monotonic?
        for window in held {
            let time: Monotonic
            switch window.phase {
            case .free: continue
            case .filling: time = window.first + fillingSpan
            case .repairing: time = due(window)
            }
            least = least.map { min($0, time) } ?? time
        }
        return least
    }

    /// Protects one RTP packet, of 12...`symbolOctets - 3` octets.
    /// - Parameters:
    ///   - source: called once, with the packet and its trailing id, to be sent to the flow's group.
    ///   - repair: called with each repair packet that is due by now, to be sent to the repair group.
    /// - Returns: false if the packet is longer than a symbol can hold or too short for RTP; nothing is emitted then.
    @discardableResult
    public func packetSent(
        _ packet: UnsafeRawBufferPointer, at now: Monotonic, source: (UnsafeRawBufferPointer) -> Void,
        repair: (UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        guard packet.count >= 12, packet.count + 3 <= windows.symbolOctets else { return false }
        if fillingCount == 0 { packets = 0 }
        let turn = Int(packets % UInt64(windows.depth))
        let index = filling[turn] >= 0 ? filling[turn] : open(turn, at: now, repair: repair)
        add(packet, to: index, source: source)
        packets &+= 1
        if held[index].count == held[index].planned { end(turn, at: now) }
        tick(at: now, repair: repair)
        return true
    }

    /// Ends windows whose time is over, and emits the repair packets that are due by now.
    public func tick(at now: Monotonic, repair: (UnsafeRawBufferPointer) -> Void) {
        for turn in 0..<windows.depth where filling[turn] >= 0 && now - held[filling[turn]].first >= fillingSpan {
            end(turn, at: now)
        }
        for index in 0..<held.count {
            while held[index].phase == .repairing, now >= due(held[index]) {
                handOut(index, until: held[index].repairsSent + 1, repair)
            }
        }
    }

    /// Ends all windows and emits all their repair packets now, because the flow ends.
    public func finish(repair: (UnsafeRawBufferPointer) -> Void) {
        for turn in 0..<windows.depth where filling[turn] >= 0 { end(turn, at: held[filling[turn]].first) }
        for index in 0..<held.count where held[index].phase == .repairing {
            handOut(index, until: held[index].repairs, repair)
        }
    }

    private var fillingSpan: Nanoseconds { windows.span - repairSpan }

    private func open(_ turn: Int, at now: Monotonic, repair: (UnsafeRawBufferPointer) -> Void) -> Int {
        let index = freeWindow(repair)
        held[index] = SentWindow()
        held[index].phase = .filling
        held[index].block = nextBlock
        held[index].planned = plan(turn)
        held[index].first = now
        nextBlock = BlockNumber.adding(1, to: nextBlock)
        filling[turn] = index
        fillingCount += 1
        if held[index].planned == windows.sourcePackets {
            clearRepairs(windows.repairPackets, of: index, octets: windows.symbolOctets)
        }
        return index
    }

    private func clearRepairs(_ count: Int, of index: Int, octets: Int) {
        for number in 0..<count {
            let symbol = memory.symbol(windows.sourcePackets + number, ofWindow: index)
            symbol.update(repeating: 0, count: SymbolMemory.wholeLines(octets))
        }
    }

    /// The number of packets that the window is to have: those up to the position at which windows of this turn end,
    /// which differs for every turn. If few packets are left before it, because the previous window was ended by time,
    /// this window and its successor share the way to the following such position equally.
    private func plan(_ turn: Int) -> Int {
        let count = windows.sourcePackets
        let round = Int(packets / UInt64(windows.depth) % UInt64(count))
        let rest = count - (round + turn * count / windows.depth) % count
        return packets < UInt64(windows.depth) || rest * 2 >= count ? rest : (rest + count) / 2
    }

    private func freeWindow(_ repair: (UnsafeRawBufferPointer) -> Void) -> Int {
        if let free = held.firstIndex(where: { $0.phase == .free }) { return free }
        // The flow is much faster than `span` allows: the oldest repair packets are sent at once.
        var oldest = 0
        for index in held.indices where held[index].phase == .repairing {
            if held[oldest].phase != .repairing || held[index].end < held[oldest].end { oldest = index }
        }
        handOut(oldest, until: held[oldest].repairs, repair)
        return oldest
    }

    private func add(_ packet: UnsafeRawBufferPointer, to index: Int, source: (UnsafeRawBufferPointer) -> Void) {
        let number = held[index].count
        let symbol = memory.symbol(number, ofWindow: index)
        let octets = packet.count + 3
        symbol[0] = 0
        symbol[1] = UInt8(truncatingIfNeeded: packet.count >> 8)
        symbol[2] = UInt8(truncatingIfNeeded: packet.count)
        UnsafeMutableRawBufferPointer(start: symbol + 3, count: packet.count).copyMemory(from: packet)
        PayloadIdentifier(block: held[index].block, symbol: number, sourceCount: held[index].planned)
            .write(to: symbol + octets)
        source(UnsafeRawBufferPointer(start: symbol + 3, count: packet.count + PayloadIdentifier.size))
        let whole = SymbolMemory.wholeLines(octets)
        (symbol + octets).update(repeating: 0, count: max(whole - octets, PayloadIdentifier.size))
        held[index].count = number + 1
        held[index].octets = max(held[index].octets, octets)
        guard held[index].planned == windows.sourcePackets else { return }
        steady.add(symbol, number, octets: whole, memory, window: index)
    }

    private func end(_ turn: Int, at now: Monotonic) {
        let index = filling[turn]
        filling[turn] = -1
        fillingCount -= 1
        held[index].phase = .repairing
        held[index].end = now
        let count = held[index].count
        let repairs = repairs(of: count)
        held[index].repairs = repairs
        guard count != windows.sourcePackets else { return }
        // Each repair symbol depends on the number of packets, so the sums made for a full window are useless.
        short.prepare(sources: count, repairs: repairs)
        clearRepairs(repairs, of: index, octets: held[index].octets)
        for number in 0..<count {
            let symbol = memory.symbol(number, ofWindow: index)
            let octets = 3 + Int(symbol[1]) << 8 + Int(symbol[2])
            short.add(symbol, number, octets: SymbolMemory.wholeLines(octets), memory, window: index)
        }
    }
}
