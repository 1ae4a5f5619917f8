// SPDX-License-Identifier: Apache-2.0

/// Finds the packets of a datagram, also behind garbage and in datagrams of odd length. Keeps nothing but counters, so a
/// packet cut by a datagram's end is lost; `TSStreamFramer` is for sources without datagrams.
@frozen
public struct TSFramer: Sendable {
    /// Octets that belonged to no packet.
    public private(set) var skippedBytes: UInt64 = 0
    /// Times that packets were found again behind such octets.
    public private(set) var resyncs: UInt64 = 0
    /// Datagrams whose length is no multiple of 188, or without a sync byte where one belongs.
    public private(set) var malformedDatagrams: UInt64 = 0

    /// Packets in a row that a search must find before it believes the first.
    static var packetsToLock: Int { 5 }

    public init() {}

    /// Calls `body` with the offset of each packet in `datagram`; every offset has 188 octets behind it, the first of them
    /// 0x47.
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

    /// - Returns: where the next believable packet starts, or the end.
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

    /// The first offset with a whole packet and sync bytes at each 188 octets behind it, as many as there are up to
    /// `packetsToLock`.
    static func firstPacket(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start >= 0, bytes.count - start >= TSPacket.size else { return nil }
        return (start...bytes.count - TSPacket.size).first { candidate in
            stride(from: candidate, to: bytes.count, by: TSPacket.size).prefix(packetsToLock)
                .allSatisfy { bytes[$0] == TSPacket.syncByte }
        }
    }
}
