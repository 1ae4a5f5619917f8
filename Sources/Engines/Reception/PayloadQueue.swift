// SPDX-License-Identifier: Apache-2.0
import Buffers
import Time

/// RTP payloads of a data channel, repaired and in order, on their way from its receive thread to the one that makes
/// messages of them. When it is full new ones are dropped and counted.
public final class PayloadQueue: Sendable {
    private struct Origin: BitwiseCopyable, Sendable {
        let source: UInt32
        let arrival: Monotonic
    }

    /// Sixteen messages of the largest size.
    private static let capacity = 1 << 20
    /// Of one call of `take`, so that one channel does not keep its reader from the others.
    private static let mostTaken = 512

    private let ring: RecordRing<Origin>
    private let overflow = Counter()
    private let wake: @Sendable () -> Void

    /// - Parameter wake: there is something to take; called on the receive thread, once for each batch.
    public init(wake: @escaping @Sendable () -> Void) {
        ring = RecordRing(capacity: Self.capacity, largestRecord: ReorderWindow.largestPayload)
        self.wake = wake
    }

    /// Payloads for which there was no room.
    public var overflows: Int64 { overflow.value }

    /// Reading thread only. Calls `body` with each payload, valid during the call, the SSRC of its sender and its arrival.
    public func take(_ body: (UnsafeRawBufferPointer, _ source: UInt32, Monotonic) -> Void) {
        for _ in 0..<Self.mostTaken {
            guard ring.take({ origin, payload in body(payload, origin.source, origin.arrival) }) else { return }
        }
        wake()
    }

    /// Receive thread only.
    func store(_ payload: UnsafeRawBufferPointer, of source: UInt32, at arrival: Monotonic) {
        if !ring.offer(Origin(source: source, arrival: arrival), payload) { overflow.add() }
    }

    /// Receive thread only.
    func batchEnded() {
        if !ring.isEmpty { wake() }
    }
}
