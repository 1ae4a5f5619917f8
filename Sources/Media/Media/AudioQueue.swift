// SPDX-License-Identifier: Apache-2.0
import Buffers
import Time

/// Coded sound from a session's read thread (writer) to the audio thread (reader). When the queue is full, a live
/// session drops the new unit. A file session puts a unit only when there is room, so what it has not read yet stays in
/// the file.
public final class AudioQueue: Sendable {
    public let session: Int
    /// The playback clock, which says when the units are due.
    public let playbackClock: PlaybackClock
    /// Whether the writer waits for room, as a file session does.
    public let waitsForRoom: Bool
    private let ring: RecordRing<Entry>
    /// By how much the clock was corrected while units waited here. Only the writer corrects.
    public let corrections = ClockCorrections()
    private let drained: Wakeup

    private struct Entry: BitwiseCopyable, Sendable {
        var unit: AudioUnit
        let mark: ClockCorrections.Mark
    }

    /// - Parameters:
    ///   - waitsForRoom: whether units are put only when there is room.
    ///   - drained: the read thread's own wake-up; signalled by `take` when `waitsForRoom` is set.
    public init(session: Int, playbackClock: PlaybackClock, waitsForRoom: Bool = false, drained: Wakeup = Wakeup()) {
        self.session = session
        self.playbackClock = playbackClock
        self.waitsForRoom = waitsForRoom
        self.drained = drained
        ring = RecordRing(capacity: 1 << 20, largestRecord: Self.largestUnit)
    }

    /// Octets of the largest unit that fits.
    public static let largestUnit = 1 << 16

    /// Called by the writer only.
    /// - Parameter bytes: at most `largestUnit` octets; a larger unit never fits.
    /// - Returns: false when there is no room; the unit was not stored.
    public func put(_ unit: AudioUnit, _ bytes: UnsafeRawBufferPointer) -> Bool {
        ring.offer(Entry(unit: unit, mark: corrections.mark), bytes)
    }

    /// Whether any unit fits. Called by the writer only.
    public var hasRoom: Bool { ring.room >= Self.largestUnit + 128 }

    /// Called by the reader only. Calls `body` with the oldest unit, which is valid during the call.
    /// - Returns: false when there is none.
    public func take(_ body: (AudioUnit, UnsafeRawBufferPointer) -> Void) -> Bool {
        let isTaken = ring.take { entry, bytes in
            var unit = entry.unit
            unit.offset = unit.offset + corrections.since(entry.mark)
            body(unit, bytes)
        }
        if isTaken && waitsForRoom { drained.signal() }
        return isTaken
    }
}
