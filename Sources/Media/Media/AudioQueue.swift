// SPDX-License-Identifier: Apache-2.0
import Buffers

/// Coded sound from a session's decode thread (writer) to the audio thread (reader). When it is full the new unit is
/// dropped and counted.
public final class AudioQueue: Sendable {
    public let session: Int
    /// When its units are due.
    public let playHead: PlayHead
    private let ring: RecordRing<AudioUnit>
    private let filled: Wakeup
    public let dropped = Counter()

    /// - Parameter filled: the audio thread's own wake-up.
    public init(session: Int, playHead: PlayHead, filled: Wakeup) {
        self.session = session
        self.playHead = playHead
        self.filled = filled
        ring = RecordRing(capacity: 1 << 20, largestRecord: 1 << 16)
    }

    /// Writer only.
    public func put(_ unit: AudioUnit, _ bytes: UnsafeRawBufferPointer) {
        if ring.offer(unit, bytes) { filled.signal() } else { dropped.add() }
    }

    /// Reader only. Calls `body` with the oldest unit, valid during the call.
    /// - Returns: false when there is none.
    public func take(_ body: (AudioUnit, UnsafeRawBufferPointer) -> Void) -> Bool { ring.take(body) }
}
