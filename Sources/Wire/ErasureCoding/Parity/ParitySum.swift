// SPDX-License-Identifier: Apache-2.0

/// The exclusive or of RTP packets: of the recovered fields of their headers, of their lengths, and of their payloads,
/// each padded with zeros to the longest.
struct ParitySum {
    var flags: UInt8 = 0
    var type: UInt8 = 0
    var timestamp: UInt32 = 0
    /// Exclusive or of the packets' lengths without the fixed header of twelve octets.
    var length: UInt16 = 0
    /// Octets of the longest payload.
    private(set) var payloadCount = 0
    /// Memory for the longest payload. It belongs to the owner and must outlive the sum.
    let payload: UnsafeMutableRawPointer

    init(in memory: UnsafeMutableRawPointer) { payload = memory }

    /// - Parameter bytes: the packet that `media` was read from; its payload must fit in the memory.
    mutating func add(_ media: ParityMedia, of bytes: UnsafeRawBufferPointer) {
        flags ^= media.flags
        type ^= media.type
        timestamp ^= media.timestamp
        let rest = UnsafeRawBufferPointer(rebasing: bytes[ParityMedia.headerOctets...])
        length ^= UInt16(truncatingIfNeeded: rest.count)
        add(rest)
    }

    /// - Parameter bytes: the parity packet that `header` was read from.
    mutating func add(_ header: ParityHeader, of bytes: UnsafeRawBufferPointer) {
        flags ^= header.flagsRecovery
        type ^= header.typeRecovery
        timestamp ^= header.timestampRecovery
        length ^= header.lengthRecovery
        add(UnsafeRawBufferPointer(rebasing: bytes[ParityHeader.size...]))
    }

    /// Whether the sum is zero: every packet was added twice.
    var isZero: Bool {
        flags == 0 && type == 0 && timestamp == 0 && length == 0 && isZero(from: 0)
    }

    /// Whether the payload is zero from octet `start` on.
    func isZero(from start: Int) -> Bool {
        var any: UInt64 = 0
        var at = start
        while at &+ 8 <= payloadCount {
            any |= payload.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            at &+= 8
        }
        while at < payloadCount {
            any |= UInt64(payload.load(fromByteOffset: at, as: UInt8.self))
            at &+= 1
        }
        return any == 0
    }

    mutating func clear() { self = ParitySum(in: payload) }

    private mutating func add(_ other: UnsafeRawBufferPointer) {
        guard let source = other.baseAddress else { return }
        let common = min(payloadCount, other.count)
        var at = 0
        while at &+ 8 <= common {
            let sum =
                payload.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                ^ source.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            payload.storeBytes(of: sum, toByteOffset: at, as: UInt64.self)
            at &+= 8
        }
        while at < common {
            let sum = payload.load(fromByteOffset: at, as: UInt8.self) ^ source.load(fromByteOffset: at, as: UInt8.self)
            payload.storeBytes(of: sum, toByteOffset: at, as: UInt8.self)
            at &+= 1
        }
        guard other.count > payloadCount else { return }
        (payload + payloadCount).copyMemory(from: source + payloadCount, byteCount: other.count &- payloadCount)
        payloadCount = other.count
    }
}
