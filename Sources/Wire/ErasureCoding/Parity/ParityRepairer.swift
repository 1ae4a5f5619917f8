// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time
import Venue

/// Makes lost packets of an RTP flow again from rows and columns of parity (SMPTE ST 2022-1).
///
/// Media goes on at once, whatever it is; what was lost follows when it is made. Each parity packet says itself what it
/// sums, so that blocks need not be aligned, sizes may change, and columns may come a block late, before their media or
/// never. One packet made may let others be made, until none can.
///
/// Sums that come out wrong are found by what is known of the packets around (length, payload type, time stamp) and by
/// those sums of which nothing was lost: a flow whose sums mostly do not come out is not used.
///
/// Owns all its memory from `init` on; nothing is allocated per packet. Not thread-safe: one thread gives it everything.
public final class ParityRepairer {
    /// - Parameters:
    ///   - packet: a whole RTP packet, valid for the call.
    ///   - arrival: of a packet that was made: that of the received one nearest behind it in sequence, else before it.
    public typealias Delivery = (
        _ packet: UnsafeRawBufferPointer, _ arrival: Monotonic, _ isRecovered: Bool
    ) -> Void

    public internal(set) var counters = ParityCounters()

    let window: ParityWindow
    let groups: ParityGroups
    /// How long anything is kept.
    let keep: Nanoseconds
    var trust = ParityTrust()
    var writer = WireWriter(reserving: ParityMedia.headerOctets)
    /// Of the media; nil before its first packet.
    var source: UInt32?
    /// Of the first packet of the media.
    var first: Int64 = 0
    private var newcomer: ParityNewcomer
    private var hasPlaces = false

    /// - Parameters:
    ///   - parity: its span; packets are kept for twice that, a second at least.
    ///   - packets: kept, a power of two in 64...16,384. Blocks whose columns come over the next one may have up to half
    ///     of it.
    ///   - packetOctets: of the longest RTP packet that can be made again.
    public init(_ parity: RepairParity, packets: Int = 1_024, packetOctets: Int = 1_500) {
        precondition((64...16_384).contains(packets) && packets & (packets - 1) == 0)
        precondition((ParityMedia.headerOctets...65_000).contains(packetOctets))
        window = ParityWindow(capacity: packets, packetOctets: packetOctets)
        groups = ParityGroups(capacity: packets / 2, packetOctets: packetOctets)
        newcomer = ParityNewcomer(packetOctets: packetOctets)
        keep = max(parity.span * 2, .seconds(1))
    }

    /// Parity packets that may still be of use.
    public var waitingParity: Int { groups.count }
    /// Something may still be made without another packet of the media being lost.
    public var isWaiting: Bool { groups.count > 0 }
    /// When `tick` has something to do next.
    public var deadline: Monotonic? {
        let arrivals = [window.oldestArrival, groups.oldest.map { groups[$0].arrival }].compactMap { $0 }
        return arrivals.min().map { $0 + keep }
    }

    /// A packet of the media; delivered first of all.
    public func mediaReceived(_ packet: UnsafeRawBufferPointer, at now: Monotonic, deliver: Delivery) {
        deliver(packet, now, false)
        // What is no RTP packet, others count.
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

    /// A packet that came on the columns' flow.
    public func columnReceived(_ packet: UnsafeRawBufferPointer, at now: Monotonic, deliver: Delivery) {
        parityReceived(packet, at: now, deliver)
    }

    /// A packet that came on the rows' flow.
    public func rowReceived(_ packet: UnsafeRawBufferPointer, at now: Monotonic, deliver: Delivery) {
        parityReceived(packet, at: now, deliver)
    }

    /// Forgets what is too old to be of use. Nothing is made by time alone; `deliver` is as with `WindowRepairer`.
    public func tick(at now: Monotonic, deliver: Delivery) {
        let limit = now - keep
        raiseFloor(to: window.floor(keepingSince: limit))
        abandon { $0.arrival < limit }
    }

    /// Counts everything as it is: the flow ends, or begins anew with the next packet.
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
        // One place is always free for the next.
        if groups.isFull, let oldest = groups.oldest { abandon(at: oldest) }
    }

    private func openWindow(at sequence: UInt16) {
        hasPlaces = true
        window.restart(at: Int64(sequence))
    }

    /// The first packet of the media; parity may have come before it.
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

    /// Of another source, or where no packet of this one can be: the second in a row is a sender that began anew.
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
