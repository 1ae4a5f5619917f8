// SPDX-License-Identifier: Apache-2.0

/// Finds the packets of a stream that comes in pieces of any length, as a file is read. Locks on five sync bytes 188
/// octets apart (TR 101 290 5.2.1, 1.1).
public struct TSStreamFramer: Sendable {
    /// Octets that belonged to no packet.
    public private(set) var skippedBytes: UInt64 = 0
    /// Times that the lock was lost and found again.
    public private(set) var resyncs: UInt64 = 0

    private var pending: [UInt8] = []
    private var isLocked = false
    private var wasLocked = false

    public init() {}

    /// Calls `body` with bytes and the offset of each packet in them; they are valid only during the call.
    public mutating func push(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, Int) -> Void) {
        pending.append(contentsOf: bytes)
        drain(isLast: false, body)
    }

    /// The stream has ended: packets too few to lock on are believed if nothing speaks against them.
    public mutating func finish(_ body: (UnsafeRawBufferPointer, Int) -> Void) {
        drain(isLast: true, body)
        skippedBytes &+= UInt64(pending.count)
        pending.removeAll(keepingCapacity: true)
        isLocked = false
    }

    private mutating func drain(isLast: Bool, _ body: (UnsafeRawBufferPointer, Int) -> Void) {
        var held: [UInt8] = []
        swap(&held, &pending)  // one owner, so that taking its front away copies nothing
        let consumed = held.withUnsafeBytes { consume($0, isLast: isLast, body) }
        held.removeFirst(consumed)
        swap(&held, &pending)
    }

    private mutating func consume(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, _ body: (UnsafeRawBufferPointer, Int) -> Void
    ) -> Int {
        let window = isLast ? TSPacket.size : (TSFramer.packetsToLock - 1) * TSPacket.size + 1
        var offset = 0
        while true {
            if isLocked {
                guard offset + TSPacket.size <= bytes.count else { return offset }
                isLocked = bytes[offset] == TSPacket.syncByte
                guard isLocked else { continue }
                body(bytes, offset)
                offset += TSPacket.size
            } else {
                guard offset + window <= bytes.count else { return offset }
                isLocked = stride(from: offset, to: bytes.count, by: TSPacket.size).prefix(TSFramer.packetsToLock)
                    .allSatisfy { bytes[$0] == TSPacket.syncByte }
                if isLocked {
                    if wasLocked { resyncs &+= 1 }
                    wasLocked = true
                } else {
                    skippedBytes &+= 1
                    offset += 1
                }
            }
        }
    }
}
