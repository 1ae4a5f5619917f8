// SPDX-License-Identifier: Apache-2.0
import Buffers
import Time

/// Coded sound from a session's read thread (writer) to the audio thread (reader). When it is full a live session
/// drops the new unit; a file session puts nothing unless there is room: what it has not read yet stays
/// in the file.
public final class AudioQueue: Sendable {
    public let session: Int
    /// When its units are due.
    public let playHead: PlayHead
    /// Of a file session.
    public let waitsForRoom: Bool
    private let ring: RecordRing<AudioUnit>
    private let drained: Wakeup

    /// - Parameters:
    ///   - waitsForRoom: units are to be put when there is room, and only then.
    ///   - drained: the read thread's own wake-up.
    public init(session: Int, playHead: PlayHead, waitsForRoom: Bool = false, drained: Wakeup = Wakeup()) {
        self.session = session
        self.playHead = playHead
        self.waitsForRoom = waitsForRoom
        self.drained = drained
        ring = RecordRing(capacity: 1 << 20, largestRecord: Self.largestUnit)
    }

    /// Octets.
    public static let largestUnit = 1 << 16

    /// Writer only.
    /// - Parameter bytes: at most `largestUnit`; more never fit.
    /// - Returns: false when there is no room, and the unit is dropped.
    public func put(_ unit: AudioUnit, _ bytes: UnsafeRawBufferPointer) -> Bool { ring.offer(unit, bytes) }

    /// Writer only: whether any unit fits.
    public var hasRoom: Bool { ring.room >= Self.largestUnit + 128 }

    /// Reader only. Calls `body` with the oldest unit, valid during the call.
    /// - Returns: false when there is none.
    public func take(_ body: (AudioUnit, UnsafeRawBufferPointer) -> Void) -> Bool {
        let isTaken = ring.take(body)
        if isTaken && waitsForRoom { drained.signal() }
        return isTaken
    }
}
