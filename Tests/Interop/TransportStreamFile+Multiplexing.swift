// SPDX-License-Identifier: Apache-2.0

/// What other multiplexers make of the pictures and the sound that ffmpeg's made a constant rate of.
extension TransportStreamFile {
    /// As a multiplexer of constant rate sends scenes of changing difficulty: each packet of pictures earlier than it is here,
    /// by a time that changes, so that the decoder's buffer is full now and nearly empty then.
    /// - Parameter lead: by how many seconds, of the seconds since the stream began. It changes more slowly than they do.
    func sendingPictures(earlier lead: (Double) -> Double) -> TransportStreamFile {
        placingPictures(
            picturePackets.map { index in
                var packet = packet(at: index)
                packet.removeClockReference()
                let seconds = Double(index) * Self.packetSeconds
                return (max(0, Int((seconds - lead(seconds)) / Self.packetSeconds)), packet)
            })
    }

    /// Several pictures in each PES packet, with the time stamps of the first one alone (ISO/IEC 13818-1, 2.4.3.7), sent at
    /// once when the first was due to be sent.
    func joiningPictures(_ count: Int) -> TransportStreamFile {
        let units = pictureUnits
        let groups = stride(from: 0, to: units.count, by: count).map { units[$0..<min($0 + count, units.count)] }
        return placingPictures(
            groups.flatMap { group in
                guard let first = group.first else { return [(wish: Int, packet: TransportPacket)]() }
                var header = first.header
                header.replaceSubrange(4..<6, with: [0, 0])  // PES_packet_length: not said
                let octets = header + group.flatMap(\.data)
                return TransportPacket.carrying(octets, on: StreamFault.video, isRandomAccess: first.isRandomAccess)
                    .map { (first.index, $0) }
            })
    }

    /// The time stamps of sound so much later than they are, as an encoder sends it that knows no better.
    func stampingSound(later milliseconds: Int64) -> TransportStreamFile {
        changing { packet in
            if packet.pid == StreamFault.sound { packet.shiftStamps(by: milliseconds * 90) }
        }
    }

    /// Time stamps at random-access points alone: pictures between two of them come without.
    func stampingRandomAccessPointsAlone() -> TransportStreamFile {
        changing { packet in
            guard packet.pid == StreamFault.video, packet.startsUnit, !packet.isRandomAccess else { return }
            packet.octets[packet.payloadStart + 7] &= 0x3f
        }
    }

    // MARK: Packets

    private static let packetSeconds = 188 * 0.008 / Double(CountedVideo.kilobits)

    private func packet(at index: Int) -> TransportPacket {
        TransportPacket(octets: Array(bytes[index * 188..<index * 188 + 188]))
    }

    private func changing(_ change: (inout TransportPacket) -> Void) -> TransportStreamFile {
        let packets = (0..<packetCount).map { index in
            var packet = packet(at: index)
            change(&packet)
            return packet
        }
        return TransportStreamFile(bytes: packets.flatMap(\.octets), entries: entries)
    }

    private var picturePackets: [Int] {
        (0..<packetCount).filter { index in
            let packet = packet(at: index)
            return packet.pid == StreamFault.video && packet.hasPayload
        }
    }

    /// A PES packet of pictures.
    private struct Unit {
        /// Of the packet in which it begins.
        let index: Int
        let isRandomAccess: Bool
        let header: [UInt8]
        var data: [UInt8]
    }

    private var pictureUnits: [Unit] {
        var units: [Unit] = []
        for index in picturePackets {
            let packet = packet(at: index)
            let payload = packet.octets[packet.payloadStart...]
            if packet.startsUnit {
                let header = payload.prefix(9 + Int(payload[payload.startIndex + 8]))
                units.append(
                    Unit(
                        index: index, isRandomAccess: packet.isRandomAccess, header: Array(header),
                        data: Array(payload.dropFirst(header.count))))
            } else if !units.isEmpty {
                units[units.count - 1].data += payload
            }
        }
        return units
    }

    /// The same stream with these packets for its pictures, each in the place of the first null packet behind the one before
    /// it and not before the one that it wishes for. Clock references stay where they are, on packets without payload.
    private func placingPictures(_ pictures: [(wish: Int, packet: TransportPacket)]) -> TransportStreamFile {
        var packets = (0..<packetCount).map { index in
            let packet = packet(at: index)
            return packet.pid == StreamFault.video ? packet.clockReferenceAlone ?? .null : packet
        }
        var next = 0
        for (wish, packet) in pictures {
            next = max(next, wish)
            while next < packets.count, packets[next].pid != TransportPacket.null.pid { next += 1 }
            guard next < packets.count else { break }
            packets[next] = packet
            next += 1
        }
        var counter: UInt8 = 15
        for index in packets.indices where packets[index].pid == StreamFault.video {
            if packets[index].hasPayload { counter &+= 1 }
            packets[index].counter = counter
        }
        return TransportStreamFile(bytes: packets.flatMap(\.octets), videoPID: StreamFault.video)
    }
}

extension TransportPacket {
    /// The clock reference and nothing else; nil if there is none.
    fileprivate var clockReferenceAlone: TransportPacket? {
        guard hasAdaptationField, octets[4] >= 7, octets[5] & 0x10 != 0 else { return nil }
        var packet: [UInt8] = [0x47, octets[1] & 0x1f, octets[2], 0x20, 183, 0x10]
        packet += octets[6..<12]
        packet += [UInt8](repeating: 0xff, count: 176)
        return TransportPacket(octets: packet)
    }

    /// Packets, without counters, that carry a unit.
    fileprivate static func carrying(_ unit: [UInt8], on pid: Int, isRandomAccess: Bool) -> [TransportPacket] {
        var (packets, rest) = ([TransportPacket](), unit[...])
        while !rest.isEmpty {
            let flags: UInt8 = isRandomAccess && packets.isEmpty ? 0x40 : 0
            let payload = rest.prefix(flags == 0 ? 184 : 182)
            rest = rest.dropFirst(payload.count)
            // The adaptation field with its length: what the payload leaves.
            let field = 184 - payload.count
            var octets: [UInt8] = [0x47, UInt8(pid >> 8) | (packets.isEmpty ? 0x40 : 0), UInt8(pid & 0xff)]
            octets.append(field > 0 ? 0x30 : 0x10)
            if field > 0 { octets.append(UInt8(field - 1)) }
            if field > 1 { octets += [flags] + [UInt8](repeating: 0xff, count: field - 2) }
            octets += payload
            packets.append(TransportPacket(octets: octets))
        }
        return packets
    }
}
