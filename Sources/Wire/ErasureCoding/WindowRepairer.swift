// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time
import Venue

/// Makes lost packets of a flow again from its Reed–Solomon windows (FECFRAME, RFC 6363; RFC 6865 with m = 8).
///
/// Packets of the flow are handed on at once, without their trailing id; those that were lost follow as soon as a window
/// has as many repairs as losses. A window is counted when all of its packets have come, when `span` has passed since its
/// first one, or when newer windows need its place: until then packets may only be late. One of which nothing came is
/// counted too, as failed; one that began before we listened is counted only if it needs nothing or is repaired.
///
/// Another SSRC, an SBN far away or different octets for the same symbol mean that the sender has begun anew; two packets
/// in a row have to say so.
///
/// Total: any octets may come. One thread at a time. All memory is taken in `init`.
public final class WindowRepairer {
    /// A whole RTP packet, valid during the call; when it came, or for a recovered one when its neighbour in the window
    /// came; whether it was lost and made again.
    public typealias Delivery = (_ packet: UnsafeRawBufferPointer, _ arrival: Monotonic, _ isRecovered: Bool) -> Void

    public internal(set) var counters = WindowCounters()
    let windows: RepairWindows
    let memory: SymbolMemory
    let code: EvaluationCode
    let arithmetic: SymbolArithmetic
    /// Windows base..<base + count, the first at `head`.
    let held: UnsafeMutableBufferPointer<HeardWindow>
    /// By window and ESI of a source: when it came.
    let arrivals: UnsafeMutableBufferPointer<Monotonic>
    /// By window and order of arrival: ESI of a repair.
    let repairs: UnsafeMutableBufferPointer<UInt8>
    /// ESIs of what is to be made again.
    let lost: UnsafeMutableBufferPointer<UInt8>
    let suspect: SuspectPacket
    /// SBN of the oldest window that is not forgotten; nil before the first packet.
    var base: UInt32?
    var head = 0
    /// Windows from `base` to the newest heard of.
    var heardCount = 0
    /// Of the flow; nil before its first packet.
    var synchronisation: UInt32?
    /// Whether we have heard a window from its beginning: those after it are ours to count.
    var hasJoined = false
    /// Sources of forgotten windows since the last of a window that is not.
    var lateRun = 0
    /// Not after the end of any open window.
    var earliestEnd: Monotonic?
    var openCount = 0

    /// - Returns: nil when the windows are not supported.
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

    /// Whether a window is open, so that a packet that is missing may still be made again.
    public var isWaiting: Bool { openCount > 0 }

    /// When the next window's time may be over: `tick` may have something to do then. Nil when no window is open.
    public var deadline: Monotonic? { earliestEnd }

    /// A datagram of the flow's own group: an RTP packet with its trailing id.
    public func sourceReceived(_ bytes: UnsafeRawBufferPointer, at arrival: Monotonic, deliver: Delivery) {
        guard bytes.count > PayloadIdentifier.size else { return }
        endOverdue(at: arrival)
        let packet = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - PayloadIdentifier.size)])
        var reader = WireReader(bytes, in: packet.count..<bytes.count)
        guard let id = try? PayloadIdentifier(from: &reader),  // six octets are there
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

    /// A datagram of the repair group.
    public func repairReceived(_ bytes: UnsafeRawBufferPointer, at arrival: Monotonic, deliver: Delivery) {
        endOverdue(at: arrival)
        var reader = WireReader(bytes)
        guard let id = try? PayloadIdentifier(from: &reader),  // too short for anything
            id.sourceCount > 0, id.symbol >= id.sourceCount, reader.remaining >= RepairWindows.symbolRange.lowerBound
        else { return }
        if base == nil { start(at: id.block, arrival) }
        // Of a window whose packets are all lost it may be the first to be heard.
        guard 0..<nearby ~= distance(to: id.block) else { return }
        let symbol = UnsafeRawBufferPointer(rebasing: bytes[reader.offset...])
        keep(symbol, id, in: reveal(id.block, at: arrival), deliver)
    }

    /// Ends windows whose time is over. Nothing can be made again by that.
    public func tick(at now: Monotonic, deliver: Delivery) { endOverdue(at: now) }

    /// Counts all windows as they are: the flow ends. The next packet begins anew.
    public func finish() {
        for distance in 0..<heardCount { end(place(distance)) }
        base = nil
        heardCount = 0
        synchronisation = nil
        suspect.isThere = false
        earliestEnd = nil
    }

    /// A packet of a window that is known or next.
    private func take(
        _ packet: UnsafeRawBufferPointer, _ id: PayloadIdentifier, at arrival: Monotonic, _ deliver: Delivery
    ) {
        lateRun = 0
        suspect.isThere = false
        keep(packet, id, in: reveal(id.block, at: arrival), at: arrival, deliver)
    }

    /// A packet that does not belong to the flow as we know it: two in a row, and the sender has begun anew.
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
        // It was handed on when it came.
        take(first, firstID, at: suspect.arrival) { packet, arrival, isRecovered in
            if isRecovered { deliver(packet, arrival, true) }
        }
        guard 0..<nearby ~= distance(to: id.block), !hasOther(packet, id) else {
            return deliver(packet, arrival, false)
        }
        take(packet, id, at: arrival, deliver)
    }

    /// Packets' worth of windows for what comes late, or is read late because its socket's turn comes last; symbols that
    /// they may take.
    private static let latePackets = 256
    private static let lateSymbols = 4_096

    /// Twice the depth, for senders whose windows end together; one that begins; and those that wait for what is late.
    private static func heldWindows(_ windows: RepairWindows) -> Int {
        let symbols = windows.sourcePackets + windows.repairPackets
        let late = (latePackets + windows.sourcePackets - 1) / windows.sourcePackets
        return 2 * windows.depth + 1 + min(late, max(1, lateSymbols / symbols))
    }

    /// From the oldest window: a single packet may open as many new ones as take turns, twice; one farther away waits for
    /// a second, since its number may be damaged.
    private var nearby: Int { heardCount + 2 * windows.depth + 2 }
    /// Windows behind us that a late packet may be of; farther away the sender has begun anew.
    private static let forgotten = 1_024
    private static let largestLateRun = 32
    /// Windows that may be lost as a whole; with more the sender has begun anew.
    private static let largestGap = 1_024
}
