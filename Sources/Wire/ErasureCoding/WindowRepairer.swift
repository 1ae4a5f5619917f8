// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time
import Venue

/// Recovers lost packets of a flow from its Reed–Solomon windows (FECFRAME, RFC 6363; RFC 6865 with m = 8).
///
/// Packets of the flow are delivered at once, without their trailing id; lost ones follow as soon as a window has as
/// many repair packets as losses. A window is counted when all of its packets have arrived, when `span` has passed
/// since its first one, or when newer windows need its place: until then packets may only be late. A window of which
/// nothing arrived is counted too, as failed. A window that began before reception is counted only if it has no loss or
/// is repaired.
///
/// The sender has restarted if two consecutive packets have another SSRC, a distant SBN or different octets for a known
/// symbol.
///
/// It accepts any octets. It is used by one thread at a time. All memory is allocated in `init`.
public final class WindowRepairer {
    /// - Parameters:
    ///   - packet: a whole RTP packet, valid during the call.
    ///   - arrival: arrival time; for a recovered packet that of its neighbour in the window.
    ///   - isRecovered: whether it was lost and recovered.
    public typealias Delivery = (_ packet: UnsafeRawBufferPointer, _ arrival: Monotonic, _ isRecovered: Bool) -> Void

    public internal(set) var counters = WindowCounters()
    let windows: RepairWindows
    let memory: SymbolMemory
    let code: EvaluationCode
    let arithmetic: SymbolArithmetic
    /// A ring of the windows from `base` on, the first at `head`.
    let held: UnsafeMutableBufferPointer<HeardWindow>
    /// Arrival times by window and ESI of the source symbol.
    let arrivals: UnsafeMutableBufferPointer<Monotonic>
    /// ESIs of repair symbols by window and order of arrival.
    let repairs: UnsafeMutableBufferPointer<UInt8>
    /// ESIs of the symbols to be recovered.
    let lost: UnsafeMutableBufferPointer<UInt8>
    let suspect: SuspectPacket
    /// SBN of the oldest window that is kept; nil before the first packet.
    var base: UInt32?
    var head = 0
    /// Number of windows from `base` to the newest one known.
    var heardCount = 0
    /// SSRC of the flow; nil before its first source packet.
    var synchronisation: UInt32?
    /// Whether a window has been received from its beginning, so that all later ones are counted.
    var hasJoined = false
    /// Number of source packets of forgotten windows since the last one of a kept window.
    var lateRun = 0
    /// A time not later than the end of any open window; nil if none is open.
    var earliestEnd: Monotonic?
    var openCount = 0

    /// - Returns: nil if the windows are not supported.
    public init?(_ windows: RepairWindows) {
        guard windows.isSupported else { return nil }
        self.windows = windows
        let count = Self.heldWindows(windows)
        memory = SymbolMemory(
            windows: count, symbols: windows.sourcePackets + windows.repairPackets, octets: windows.symbolOctets)
        code = EvaluationCode(windows.generator)
        arithmetic = SymbolArithmetic(
            columns: windows.sourcePackets, rows: min(windows.sourcePackets, windows.repairPackets))
        held = .allocate(capacity: count)
        held.initialize(repeating: HeardWindow())
        arrivals = .allocate(capacity: count * windows.sourcePackets)
        arrivals.initialize(repeating: Monotonic(nanoseconds: 0))
        repairs = .allocate(capacity: count * windows.repairPackets)
        repairs.initialize(repeating: 0)
        lost = .allocate(capacity: windows.sourcePackets)
        lost.initialize(repeating: 0)
        suspect = SuspectPacket(octets: windows.symbolOctets + PayloadIdentifier.size)
    }

    deinit {
        held.deallocate()
        arrivals.deallocate()
        repairs.deallocate()
        lost.deallocate()
    }

    /// Whether a window is open, so that a missing packet may still be recovered.
    public var isWaiting: Bool { openCount > 0 }

    /// When `tick` may next have something to do: the time of a window may be over. Nil if no window is open.
    public var deadline: Monotonic? { earliestEnd }

    /// Takes a datagram of the flow's group: an RTP packet with its trailing id.
    public func sourceReceived(_ bytes: UnsafeRawBufferPointer, at arrival: Monotonic, deliver: Delivery) {
        guard bytes.count > PayloadIdentifier.size else { return }
        endOverdue(at: arrival)
        let packet = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - PayloadIdentifier.size)])
        var reader = WireReader(bytes, in: packet.count..<bytes.count)
        guard let id = try? PayloadIdentifier(from: &reader),  // never fails: six octets are there
            id.symbol < id.sourceCount, packet.count >= 12, packet[0] >> 6 == 2
        else { return deliver(packet, arrival, false) }
        let ssrc = UInt32(bigEndian: packet.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        guard base != nil else {
            start(at: id.block, arrival)
            synchronisation = ssrc
            return take(packet, id, at: arrival, deliver)
        }
        if synchronisation == nil { synchronisation = ssrc }
        guard ssrc == synchronisation else { return suspected(packet, id, ssrc, at: arrival, deliver) }
        switch distance(to: id.block) {
        case 0..<nearby where !hasOther(packet, id): take(packet, id, at: arrival, deliver)
        case -Self.forgotten..<0:
            lateRun += 1
            if lateRun > Self.largestLateRun { return suspected(packet, id, ssrc, at: arrival, deliver) }
            deliver(packet, arrival, false)
        default: suspected(packet, id, ssrc, at: arrival, deliver)
        }
    }

    /// Takes a datagram of the repair group.
    public func repairReceived(_ bytes: UnsafeRawBufferPointer, at arrival: Monotonic, deliver: Delivery) {
        endOverdue(at: arrival)
        var reader = WireReader(bytes)
        guard let id = try? PayloadIdentifier(from: &reader),  // fails if the datagram is too short
            id.sourceCount > 0, id.symbol >= id.sourceCount, reader.remaining >= RepairWindows.symbolRange.lowerBound
        else { return }
        if base == nil { start(at: id.block, arrival) }
        // It may be the first packet received of a window whose source packets are all lost.
        guard 0..<nearby ~= distance(to: id.block) else { return }
        let symbol = UnsafeRawBufferPointer(rebasing: bytes[reader.offset...])
        keep(symbol, id, in: reveal(id.block, at: arrival), deliver)
    }

    /// Ends windows whose time is over. This recovers nothing.
    public func tick(at now: Monotonic, deliver: Delivery) { endOverdue(at: now) }

    /// Ends and counts all windows, because the flow ends. The next packet begins a new flow.
    public func finish() {
        for distance in 0..<heardCount { end(place(distance)) }
        base = nil
        heardCount = 0
        synchronisation = nil
        suspect.isThere = false
        earliestEnd = nil
    }

    /// Takes a packet of a known or nearby window.
    private func take(
        _ packet: UnsafeRawBufferPointer, _ id: PayloadIdentifier, at arrival: Monotonic, _ deliver: Delivery
    ) {
        lateRun = 0
        suspect.isThere = false
        keep(packet, id, in: reveal(id.block, at: arrival), at: arrival, deliver)
    }

    /// Takes a packet that does not fit the flow. Two in a row mean that the sender has restarted.
    private func suspected(
        _ packet: UnsafeRawBufferPointer, _ id: PayloadIdentifier, _ ssrc: UInt32, at arrival: Monotonic,
        _ deliver: Delivery
    ) {
        guard let (first, firstID) = suspect.confirmed(by: id, ssrc, within: held.count) else {
            suspect.keep(packet, id, ssrc, at: arrival)
            return deliver(packet, arrival, false)
        }
        if ssrc != synchronisation || !(nearby..<Self.largestGap ~= distance(to: firstID.block)) {
            finish()
            start(at: firstID.block, suspect.arrival)
            synchronisation = ssrc
        }
        // It was delivered when it arrived.
        take(first, firstID, at: suspect.arrival) { packet, arrival, isRecovered in
            if isRecovered { deliver(packet, arrival, true) }
        }
        guard 0..<nearby ~= distance(to: id.block), !hasOther(packet, id) else {
            return deliver(packet, arrival, false)
        }
        take(packet, id, at: arrival, deliver)
    }

    /// The windows kept for late packets hold at least this many source packets, but at most this many symbols. A
    /// packet may also be late because its socket is read last.
    private static let latePackets = 256
    private static let lateSymbols = 4_096

    /// Twice the depth, for senders whose windows end together; one that begins; and those kept for late packets.
    private static func heldWindows(_ windows: RepairWindows) -> Int {
        let symbols = windows.sourcePackets + windows.repairPackets
        let late = (latePackets + windows.sourcePackets - 1) / windows.sourcePackets
        return 2 * windows.depth + 1 + min(late, max(1, lateSymbols / symbols))
    }

    /// Distance from the oldest window up to which a single packet may open new windows: twice as many as take turns. A
    /// packet farther away waits for a second one, because its number may be damaged.
    private var nearby: Int { heardCount + 2 * windows.depth + 2 }
    /// Number of windows before the oldest to which a late packet may belong. A packet farther back means that the
    /// sender has restarted.
    private static let forgotten = 1_024
    private static let largestLateRun = 32
    /// Largest number of windows that may be lost completely; a larger gap means that the sender has restarted.
    private static let largestGap = 1_024
}
