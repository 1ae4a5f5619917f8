// SPDX-License-Identifier: Apache-2.0

/// Puts packets together that a sender cuts where its datagrams end, as `ffmpeg … udp://` does unless it is told a
/// `pkt_size`: 1472 octets, then 64.
///
/// A datagram of whole packets passes as it is. Of one that ends within a packet, the beginning of that packet waits for
/// the next datagram, if sync bytes show that it is one. Its buffer is allocated with the first such datagram.
public struct PacketJoiner: Sendable {
    /// Datagrams that ended within a packet.
    public private(set) var cutDatagrams: UInt64 = 0
    /// Octets of packets that were begun and did not go on in the next datagram.
    public private(set) var abandonedOctets: UInt64 = 0

    /// The beginning of a packet; while datagrams are joined, what is joined.
    private var buffer: [UInt8] = []

    /// Octets of the longest datagram.
    private static let longest = 1 << 16
    public init() {}

    /// Whether no packet waits for its end.
    public var isIdle: Bool { buffer.isEmpty }

    /// Octets that the packet lacks that waits for its end; 0 if none does.
    public var missing: Int { isIdle ? 0 : TSPacket.size - buffer.count }

    /// PID and counter of the packet that waits for its end; nil if none does, or if its header is cut as well.
    public var waiting: (pid: UInt16, counter: UInt8)? {
        guard buffer.count >= 4 else { return nil }
        return (UInt16(buffer[1] & 0x1F) << 8 | UInt16(buffer[2]), buffer[3] & 0xF)
    }

    /// - Parameter afterLoss: whether datagrams are missing before this one.
    /// - Parameter body: called at most once, with whole packets or with a datagram in which none was found; the bytes are
    ///   valid only during the call. It is not called if all octets wait.
    public mutating func join(
        _ datagram: UnsafeRawBufferPointer, afterLoss: Bool, _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        if !isIdle, afterLoss || !continues(datagram) { abandon() }
        if !isIdle { return complete(with: datagram, body) }
        let rest = TSFramer.cutOctets(of: datagram)
        guard rest > 0 else { return body(datagram) }
        let whole = datagram.count - rest
        body(UnsafeRawBufferPointer(rebasing: datagram[..<whole]))
        if buffer.capacity == 0 { buffer.reserveCapacity(PacketJoiner.longest + TSPacket.size) }
        buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: datagram[whole...]))
        cutDatagrams &+= 1
    }

    /// Drops what waits; the stream goes on elsewhere.
    public mutating func abandon() {
        abandonedOctets &+= UInt64(buffer.count)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Whether packets follow where the one that waits would end.
    private func continues(_ datagram: UnsafeRawBufferPointer) -> Bool {
        stride(from: TSPacket.size - buffer.count, to: datagram.count, by: TSPacket.size)
            .allSatisfy { datagram[$0] == TSPacket.syncByte }
    }

    private mutating func complete(with datagram: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        buffer.append(contentsOf: datagram)
        let rest = buffer.count % TSPacket.size
        let whole = buffer.count - rest
        if rest > 0 { cutDatagrams &+= 1 }
        guard whole > 0 else { return }
        buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<whole])) }
        buffer.removeFirst(whole)
    }
}

extension TSFramer {
    /// Whether a datagram holds packets of which the first or the last is cut by its ends.
    public static func holdsCutPackets(_ datagram: UnsafeRawBufferPointer) -> Bool {
        !isWhole(datagram) && widerForm(of: datagram) == nil && lastPacket(of: datagram) != nil
    }

    /// Number of octets of the packet that begins within the datagram and does not end there; 0 if there is none.
    static func cutOctets(of datagram: UnsafeRawBufferPointer) -> Int {
        guard !isWhole(datagram), widerForm(of: datagram) == nil, let last = lastPacket(of: datagram) else { return 0 }
        let octets = datagram.count - last
        return octets < TSPacket.size ? octets : 0
    }

    /// Where the last packet begins in a datagram of which sync bytes at each 188 octets show that it holds packets: at
    /// least three of them, from the first packet to the end. nil if they do not.
    private static func lastPacket(of datagram: UnsafeRawBufferPointer) -> Int? {
        guard let first = firstPacket(in: datagram, from: 0) else { return nil }
        let places = stride(from: first, to: datagram.count, by: TSPacket.size)
        var (count, last) = (0, first)
        for place in places {
            guard datagram[place] == TSPacket.syncByte else { return nil }
            (count, last) = (count + 1, place)
        }
        return count >= 3 ? last : nil
    }
}
