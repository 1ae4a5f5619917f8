// SPDX-License-Identifier: Apache-2.0
import Media
import Time

/// The ring of what the receiver of one channel was given. Of datagrams it keeps what `PacketSieve` lets through.
///
/// Sendable: the receive thread alone calls `take`; the ring itself may be read by any thread.
public final class PacketRing: InputTap, @unchecked Sendable {
    public let ring: OctetRing
    private var sieve: PacketSieve
    private var kept = KeptRanges()

    /// - Parameters:
    ///   - keepsPayload: whether pictures and sound are kept too.
    ///   - isProtected: whether the channel has repair or a second path.
    public init(_ ring: OctetRing, keepsPayload: Bool, isProtected: Bool) {
        self.ring = ring
        sieve = PacketSieve(keepsPayload: keepsPayload, keepsEnds: !isProtected)
    }

    public func take(_ kind: InputLog.Kind, _ bytes: UnsafeRawBufferPointer, part: Int, at time: Monotonic) {
        switch kind {
        case .datagram, .recovered:
            guard bytes.count <= SparseDatagram.mostOctets else { return }
            // Media come by the first two parts, repair by the others.
            sieve.sift(bytes, isMedia: part < 2, into: &kept)
            let count = SparseDatagram.octets(of: kept)
            guard var writing = ring.begin(kind.rawValue, part: part, at: time, count: count) else { return }
            SparseDatagram.write(bytes, kept, to: ring, &writing)
            ring.end(writing)
        case .reinforced:
            sieve.keepsEnds = false
            ring.append(kind.rawValue, part: part, at: time, bytes)
        default: ring.append(kind.rawValue, part: part, at: time, bytes)
        }
    }
}
