// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time
import Venue

/// Recovers lost packets of an RTP flow from rows and columns of parity (SMPTE ST 2022-1).
///
/// Media packets are delivered at once, whatever they contain; lost ones follow when they are recovered. Each parity
/// packet states what it sums, so blocks need not be aligned, sizes may change, and columns may arrive a block late,
/// before their media or never. One recovered packet may make others recoverable.
///
/// Wrong sums are detected by comparison with neighbouring packets (length, payload type, time stamp), and by the sums
/// of groups without loss: a flow whose sums are mostly wrong is not used.
///
/// All memory is allocated in `init`, none per packet. Not thread-safe: one thread makes all calls.
public final class ParityRepairer {
    /// - Parameters:
    ///   - packet: a whole RTP packet, valid during the call.
    ///   - arrival: arrival time. For a recovered packet it is that of the nearest received packet after it in
    ///     sequence, else before it.
    public typealias Delivery = (
        _ packet: UnsafeRawBufferPointer, _ arrival: Monotonic, _ isRecovered: Bool
    ) -> Void

    public internal(set) var counters = ParityCounters()

    let window: ParityWindow
    let groups: ParityGroups
    /// How long packets are kept.
    let keep: Nanoseconds
    var trust = ParityTrust()
    var writer = WireWriter(reserving: ParityMedia.headerOctets)
    /// SSRC of the media; nil before its first packet.
    var source: UInt32?
    /// Place of the first media packet.
    var first: Int64 = 0
    private var newcomer: ParityNewcomer
    private var hasPlaces = false

    /// - Parameters:
    ///   - parity: the parity's description. Packets are kept for twice its span, at least a second.
    ///   - packets: number of packets kept, a power of two in 64...16,384. A block whose columns are spread over the
    ///     next one may have up to half of it.
    ///   - packetOctets: octets of the longest RTP packet that can be recovered.
    public init(_ parity: RepairParity, packets: Int = 1_024, packetOctets: Int = 1_500) {
        precondition((64...16_384).contains(packets) && packets & (packets - 1) == 0)
        precondition((ParityMedia.headerOctets...65_000).contains(packetOctets))
        window = ParityWindow(capacity: packets, packetOctets: packetOctets)
        groups = ParityGroups(capacity: packets / 2, packetOctets: packetOctets)
        newcomer = ParityNewcomer(packetOctets: packetOctets)
        keep = max(parity.span * 2, .seconds(1))
    }

    /// Number of parity packets that may still be of use.
    public var waitingParity: Int { groups.count }
    /// Whether there is parity that packets still to come could make useful.
    public var isWaiting: Bool { groups.count > 0 }
    /// When `tick` next has something to do; nil if nothing is kept.
    public var deadline: Monotonic? {
        let parity = groups.oldest.map { groups[$0].arrival }
        guard let media = window.oldestArrival else { return parity.map { $0 + keep } }
        return min(media, parity ?? media) + keep
    }

    /// Takes a media packet. It is delivered first of all.
    public func mediaReceived(_ packet: UnsafeRawBufferPointer, at now: Monotonic, deliver: Delivery) {
        deliver(packet, now, false)
        // A packet that is not RTP is counted elsewhere.
        guard let media = try? ParityMedia(packet), packet.count <= window.packetOctets else { return }
        guard let known = source else {
            begin(media)
            return store(packet, at: first, arrival: now, deliver)
        }
        let place = window.place(of: media.sequence)
        guard media.ssrc == known, place >= window.floor, place <= window.newest &+ Int64(window.capacity) else {
            return strangerReceived(media, packet, at: now, deliver)
        }
        if window.isThere(place) {
            guard window.holds(packet, at: place) else {
                return strangerReceived(media, packet, at: now, deliver)
            }
            newcomer.leave()
            return
        }
        newcomer.leave()
        store(packet, at: place, arrival: now, deliver)
    }

    /// Takes a packet of the columns' flow.
    public func columnReceived(_ packet: UnsafeRawBufferPointer, at now: Monotonic, deliver: Delivery) {
        parityReceived(packet, at: now, deliver)
    }

    /// Takes a packet of the rows' flow.
    public func rowReceived(_ packet: UnsafeRawBufferPointer, at now: Monotonic, deliver: Delivery) {
        parityReceived(packet, at: now, deliver)
    }

    /// Forgets what is too old to be of use. Time alone recovers nothing; `deliver` is there as in `WindowRepairer`.
    public func tick(at now: Monotonic, deliver: Delivery) {
        let limit = now - keep
        raiseFloor(to: window.floor(keepingSince: limit))
        abandon { $0.arrival < limit }
    }

    /// Counts everything in its present state, because the flow ends. The next packet begins a new flow.
    public func finish() {
        raiseFloor(to: window.newest &+ 1)
        abandon { _ in true }
        newcomer.leave()
        trust = ParityTrust()
        source = nil
        hasPlaces = false
    }

    private func parityReceived(_ packet: UnsafeRawBufferPointer, at now: Monotonic, _ deliver: Delivery) {
        var reader = WireReader(packet)
        let header: ParityHeader
        do throws(WireError) {
            header = try ParityHeader(from: &reader)
        } catch {
            counters.malformed += 1
            return
        }
        switch header.flow {
        case .columns: counters.columnPackets += 1
        case .rows: counters.rowPackets += 1
        }
        if !hasPlaces { openWindow(at: header.base) }
        var group = ParityGroup(sum: groups.free)
        group.flow = header.flow
        group.base = window.place(of: header.base)
        group.offset = Int64(header.offset)
        group.count = Int64(header.count)
        group.arrival = now
        let isUsable =
            group.base >= window.floor && group.last <= window.newest &+ Int64(window.capacity / 2)
            && packet.count &- ParityHeader.size <= window.packetOctets &- ParityMedia.headerOctets
            && !groups.contains { $0.sumsSame(as: group) }
        guard isUsable else {
            counters.unusable += 1
            return
        }
        for place in group.places where !window.isThere(place) { group.missing += 1 }
        group.sum.add(header, of: packet)
        groups.append(group)
        if group.missing <= 1 { settle(deliver) }
        // One element is always free for the next parity packet.
        if groups.isFull, let oldest = groups.oldest { abandon(at: oldest) }
    }

    private func openWindow(at sequence: UInt16) {
        hasPlaces = true
        window.restart(at: Int64(sequence))
    }

    /// Begins with the first media packet. Parity may have arrived before it.
    private func begin(_ media: ParityMedia) {
        if !hasPlaces { openWindow(at: media.sequence) }
        let place = window.place(of: media.sequence)
        if place < window.floor || place > window.newest &+ Int64(window.capacity) {
            abandon { _ in true }
            openWindow(at: media.sequence)
        }
        source = media.ssrc
        first = window.place(of: media.sequence)
    }

    /// Takes a packet of another source or with an impossible sequence number. The second one in sequence means that
    /// the sender has restarted.
    private func strangerReceived(
        _ media: ParityMedia, _ packet: UnsafeRawBufferPointer, at now: Monotonic, _ deliver: Delivery
    ) {
        guard newcomer.isFollowed(by: media) else {
            newcomer.come(media, packet, at: now)
            return
        }
        counters.restarts += 1
        raiseFloor(to: window.newest &+ 1)
        abandon { _ in true }
        trust = ParityTrust()
        openWindow(at: newcomer.sequence)
        first = Int64(newcomer.sequence)
        source = media.ssrc
        store(newcomer.packet, at: first, arrival: newcomer.arrival, deliver)
        store(packet, at: first &+ 1, arrival: now, deliver)
        newcomer.leave()
    }
}
