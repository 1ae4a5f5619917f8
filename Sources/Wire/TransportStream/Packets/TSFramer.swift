// SPDX-License-Identifier: Apache-2.0

/// Finds the packets in a datagram, also after garbage and in datagrams whose length is not a multiple of 188. It keeps
/// only counters between datagrams, so a packet cut by the end of a datagram is lost.
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
        var isMalformed = datagram.isEmpty || datagram.count % TSPacket.size != 0
        while offset <= datagram.count &- TSPacket.size {
            if datagram[offset] == TSPacket.syncByte {
                body(offset)
                offset &+= TSPacket.size
            } else {
                isMalformed = true
                offset = resynchronize(in: datagram, from: offset)
            }
        }
        if isMalformed { countMalformed(octetsLeft: datagram.count &- offset) }
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
