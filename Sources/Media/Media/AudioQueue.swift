// SPDX-License-Identifier: Apache-2.0
import Buffers
import Time

/// Coded sound from a session's decode thread (writer) to the audio thread (reader). When it is full a live session
/// drops the new unit, which is counted, and a file session waits for `drained`: what it has not read yet stays in the
/// file.
public final class AudioQueue: Sendable {
    public let session: Int
    /// When its units are due.
    public let playHead: PlayHead
    /// Of a file session: what `put` refuses is put again.
    public let waitsForRoom: Bool
    private let ring: RecordRing<AudioUnit>
    private let drained = Wakeup()
    /// Units of a live session.
    public let dropped = Counter()

    /// - Parameter waitsForRoom: what `put` does when it is full.
    public init(session: Int, playHead: PlayHead, waitsForRoom: Bool = false) {
        self.session = session
        self.playHead = playHead
        self.waitsForRoom = waitsForRoom
        ring = RecordRing(capacity: 1 << 20, largestRecord: Self.largestUnit)
    }

    /// Octets.
    public static let largestUnit = 1 << 16

    /// Writer only.
    /// - Parameter bytes: at most `largestUnit`; more never fit.
    /// - Returns: false when there is no room. The unit is dropped and counted, or is to be put again after
    ///   `waitForRoom`.
    @discardableResult
    public func put(_ unit: AudioUnit, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard ring.offer(unit, bytes) else {
            if !waitsForRoom || bytes.count > Self.largestUnit { dropped.add() }
            return false
        }
        return true
    }

    /// Writer only: waits until there may be room, or `deadline`.
    public func waitForRoom(until deadline: Monotonic) { drained.wait(until: deadline) }

    /// Reader only. Calls `body` with the oldest unit, valid during the call.
    /// - Returns: false when there is none.
    public func take(_ body: (AudioUnit, UnsafeRawBufferPointer) -> Void) -> Bool {
        let isTaken = ring.take(body)
        if isTaken && waitsForRoom { drained.signal() }
        return isTaken
    }
}
