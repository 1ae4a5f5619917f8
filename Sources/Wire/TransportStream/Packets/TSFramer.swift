// SPDX-License-Identifier: Apache-2.0

/// Finds the packets in a datagram, also after garbage and in datagrams whose length is not a multiple of 188. It keeps
/// only counters between datagrams, so a packet cut by the end of a datagram is lost.
///
/// Some senders keep what their sources put around each packet: 16 octets of parity behind it (204 octets, ETSI EN 300
/// 429), or a time stamp of 4 octets before it (192 octets, as Blu-ray discs have them). Both are passed over.
@frozen
public struct TSFramer: Sendable {
    /// Octets that belong to no packet.
    public private(set) var skippedBytes: UInt64 = 0
    /// Number of times that packets were found again after such octets.
    public private(set) var resyncs: UInt64 = 0
    /// Datagrams that are empty, whose length is not a multiple of 188, or where a sync byte is missing.
    public private(set) var malformedDatagrams: UInt64 = 0

    /// Number of consecutive sync bytes that confirm the first one in a search.
    static var packetsToLock: Int { 5 }

    public init() {}

    /// Calls `body` with the offset of each packet in `datagram`. At each offset begin 188 octets, the first of which
    /// is 0x47.
    @inlinable
    public mutating func forEachPacket(in datagram: UnsafeRawBufferPointer, _ body: (Int) -> Void) {
        var offset = 0
        var distance = TSPacket.size
        var isMalformed = datagram.isEmpty || datagram.count % TSPacket.size != 0
        if isMalformed, let form = TSFramer.widerForm(of: datagram) {
            (offset, distance, isMalformed) = (form.start, form.distance, false)
        }
        while offset <= datagram.count &- TSPacket.size {
            if datagram[offset] == TSPacket.syncByte {
                body(offset)
                offset &+= distance
            } else {
                isMalformed = true
                offset = resynchronize(in: datagram, from: offset)
            }
        }
        if isMalformed { countMalformed(octetsLeft: datagram.count &- offset) }
    }

    /// Whether a datagram holds packets, from its first octet on.
    public static func holdsPackets(_ datagram: UnsafeRawBufferPointer) -> Bool {
        guard datagram.count >= TSPacket.size else { return false }
        if datagram.count % TSPacket.size == 0 { return hasSync(datagram, from: 0, TSPacket.size) }
        return widerForm(of: datagram) != nil
    }

    /// Where the first packet of a datagram begins, and the distance from each to the next.
    public typealias Layout = (start: Int, distance: Int)

    /// nil if the datagram has no whole packet.
    public static func layout(of datagram: UnsafeRawBufferPointer) -> Layout? {
        if isWhole(datagram) { return (0, TSPacket.size) }
        if let form = widerForm(of: datagram) { return form }
        return firstPacket(in: datagram, from: 0).map { ($0, TSPacket.size) }
    }

    /// Whether a datagram begins and ends with a packet.
    static func isWhole(_ datagram: UnsafeRawBufferPointer) -> Bool {
        datagram.count % TSPacket.size == 0 && datagram.first == TSPacket.syncByte
    }

    /// Whether so many octets between two packets belong to their form.
    public static func isPadding(_ octets: Int) -> Bool { octets == 4 || octets == 16 }

    /// Where the first packet begins, and the distance from each to the next; nil if these are not packets with something
    /// before or behind them.
    @usableFromInline
    static func widerForm(of datagram: UnsafeRawBufferPointer) -> Layout? {
        for (start, distance) in [(0, 204), (4, 192)] {
            if !datagram.isEmpty, datagram.count % distance == 0, hasSync(datagram, from: start, distance) {
                return (start, distance)
            }
        }
        return nil
    }

    private static func hasSync(_ bytes: UnsafeRawBufferPointer, from start: Int, _ distance: Int) -> Bool {
        stride(from: start, to: bytes.count, by: distance).allSatisfy { bytes[$0] == TSPacket.syncByte }
    }

    /// - Returns: offset of the next confirmed packet, or the end of the datagram.
    @usableFromInline
    mutating func resynchronize(in datagram: UnsafeRawBufferPointer, from start: Int) -> Int {
        let found = TSFramer.firstPacket(in: datagram, from: start)
        if found != nil { resyncs &+= 1 }
        skippedBytes &+= UInt64((found ?? datagram.count) - start)
        return found ?? datagram.count
    }

    @usableFromInline
    mutating func countMalformed(octetsLeft: Int) {
        skippedBytes &+= UInt64(octetsLeft)
        malformedDatagrams &+= 1
    }

    /// The first offset at which a whole packet begins and sync bytes follow at each 188 octets, up to `packetsToLock`
    /// of them or the end of the bytes. Nil if there is none.
    static func firstPacket(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start >= 0, bytes.count - start >= TSPacket.size else { return nil }
        return (start...bytes.count - TSPacket.size).first { candidate in
            stride(from: candidate, to: bytes.count, by: TSPacket.size).prefix(packetsToLock)
                .allSatisfy { bytes[$0] == TSPacket.syncByte }
        }
    }
}
