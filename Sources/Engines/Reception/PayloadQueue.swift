// SPDX-License-Identifier: Apache-2.0
import Buffers
import Time

/// RTP payloads of a data channel, repaired and in order, on their way from the receive thread to the thread that
/// assembles messages. When it is full, new payloads are dropped and counted.
public final class PayloadQueue: Sendable {
    private struct Origin: BitwiseCopyable, Sendable {
        let source: UInt32
        let arrival: Monotonic
    }

    /// Octets: room for sixteen messages of the largest size.
    private static let capacity = 1 << 20
    /// Payloads that one call of `take` gives at most, so that one channel does not keep its reader from the others.
    private static let mostTaken = 512

    private let ring: RecordRing<Origin>
    private let overflow = Counter()
    private let wake: @Sendable () -> Void

    /// - Parameter wake: called when there is something to take: on the receive thread once for each batch, and on the
    ///   reading thread when `take` reached its limit.
    public init(wake: @escaping @Sendable () -> Void) {
        ring = RecordRing(capacity: Self.capacity, largestRecord: ReorderWindow.largestPayload)
        self.wake = wake
    }

    /// Payloads that were dropped because the queue was full.
    public var overflows: Int64 { overflow.value }

    /// Calls `body` with each payload (valid during the call), the SSRC of its sender and its arrival. Reading thread
    /// only.
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
