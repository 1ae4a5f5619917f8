// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time

extension ParityRepairer {
    /// Largest plausible difference of the time stamps of neighbouring packets: twelve seconds at 90 kHz.
    private static let stampReach: UInt32 = 1 << 20

    /// Stores a packet at its place and recovers what has become recoverable.
    func store(_ packet: UnsafeRawBufferPointer, at place: Int64, arrival: Monotonic, _ deliver: Delivery) {
        if keepPacket(packet, at: place, arrival: arrival) { settle(deliver) }
    }

    /// Removes groups that lack at most one packet, until there are none. A packet recovered by one group may complete
    /// another.
    func settle(_ deliver: Delivery) {
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            var index = 0
            while index < groups.count {
                guard groups[index].missing <= 1 else {
                    index += 1
                    continue
                }
                let group = groups.remove(at: index)
                if group.missing == 0 {
                    check(group)
                } else if solve(group, deliver) {
                    counters.recoveredPackets += 1
                    hasChanged = true
                } else {
                    counters.unusable += 1
                    mourn(group)
                }
            }
        }
    }

    /// Raises the floor of the window: nothing below `floor` is kept.
    /// - Parameter floor: at most one above the newest packet.
    func raiseFloor(to floor: Int64) {
        guard floor > window.floor else { return }
        while window.floor < floor, window.floor <= window.newest {
            let place = window.floor
            if !window.isThere(place), place >= first, source != nil,
                window.slot(place).isMourned || groups.contains(where: { $0.covers(place) })
            {
                counters.unrecoveredPackets += 1
            }
            window.dropFirst()
        }
        guard groups.lowest < window.floor else { return }
        abandon { $0.base < window.floor }
        groups.reckonBounds()
    }

    /// Removes the groups that can no longer be of use.
    func abandon(where condition: (ParityGroup) -> Bool) {
        var index = 0
        while index < groups.count {
            if condition(groups[index]) { abandon(at: index) } else { index += 1 }
        }
    }

    func abandon(at index: Int) {
        mourn(groups.remove(at: index))
        counters.unsolved += 1
    }

    private func mourn(_ group: ParityGroup) {
        for place in group.places { window.mourn(place) }
    }

    /// - Returns: whether a group now lacks at most one packet.
    private func keepPacket(_ packet: UnsafeRawBufferPointer, at place: Int64, arrival: Monotonic) -> Bool {
        raiseFloor(to: place &- Int64(window.capacity) &+ 1)
        window.store(packet, at: place, arrival: arrival)
        return groups.fill(place)
    }

    /// Checks the sum of a group that lacks no packet: it must be zero.
    private func check(_ group: ParityGroup) {
        var sum = group.sum
        add(group, to: &sum, without: nil)
        let isRight = sum.isZero && sum.payloadCount == group.sum.payloadCount
        if isRight { counters.unneeded += 1 } else { counters.unusable += 1 }
        trust.summed(group.flow, isRight: isRight)
    }

    /// Recovers the one packet that a group lacks, stores it at its place and delivers it.
    /// - Returns: false if the result is not a packet of this flow.
    private func solve(_ group: ParityGroup, _ deliver: Delivery) -> Bool {
        guard trust.isGiven(to: group.flow), let source,
            let place = group.places.first(where: { !window.isThere($0) }),
            let neighbour = window.neighbour(of: place),
            // Only RTP packets are stored.
            let like = try? ParityMedia(window.packet(neighbour))
        else { return false }
        var sum = group.sum
        add(group, to: &sum, without: place)
        let length = Int(sum.length)
        let isPlausible =
            sum.payloadCount == group.sum.payloadCount && length <= sum.payloadCount
            && sum.isZero(from: length) && Int(sum.flags & 0xF) &* 4 <= length
            && sum.type & 0x7F == like.type & 0x7F
            && (sum.timestamp &- like.timestamp &+ Self.stampReach) < 2 &* Self.stampReach
        guard isPlausible else { return false }
        writer.removeAll()
        writer.write(0x80 | sum.flags)
        writer.write(sum.type)
        writer.write(UInt16(truncatingIfNeeded: place))
        writer.write(sum.timestamp)
        writer.write(source)
        let start = sum.payload - ParityMedia.headerOctets
        writer.bytes.withUnsafeBytes { octets in
            UnsafeMutableRawBufferPointer(start: start, count: octets.count).copyMemory(from: octets)
        }
        let packet = UnsafeRawBufferPointer(start: start, count: ParityMedia.headerOctets &+ length)
        let arrival = window.slot(neighbour).arrival
        _ = keepPacket(packet, at: place, arrival: arrival)
        deliver(packet, arrival, true)
        return true
    }

    private func add(_ group: ParityGroup, to sum: inout ParitySum, without missing: Int64?) {
        for place in group.places where place != missing {
            let packet = window.packet(place)
            // Only RTP packets are stored.
            guard let media = try? ParityMedia(packet) else { continue }
            sum.add(media, of: packet)
        }
    }
}
