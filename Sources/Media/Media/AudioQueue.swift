// SPDX-License-Identifier: Apache-2.0
import Buffers
import Time

/// Coded sound from a session's decode thread (writer) to the audio thread (reader). When it is full the new unit is
/// dropped and counted.
public final class AudioQueue: Sendable {
    public let session: Int
    public let codec: Codec
    private let ring: RecordRing<AccessUnit>
    private let filled: Wakeup
    public let dropped = Counter()

    /// - Parameter filled: the audio thread's own wake-up.
    public init(session: Int, codec: Codec, filled: Wakeup) {
        self.session = session
        self.codec = codec
        self.filled = filled
        ring = RecordRing(capacity: 1 << 20, largestRecord: 1 << 16)
    }

    /// Writer only.
    public func put(_ unit: AccessUnit, _ bytes: UnsafeRawBufferPointer) {
        if ring.offer(unit, bytes) { filled.signal() } else { dropped.add() }
    }

    /// Reader only. Calls `body` with the oldest unit, valid during the call.
    /// - Returns: false when there is none.
    public func take(_ body: (AccessUnit, UnsafeRawBufferPointer) -> Void) -> Bool { ring.take(body) }
}
