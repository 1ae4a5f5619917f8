// SPDX-License-Identifier: Apache-2.0
import Media
import Time

/// Puts sound that was read into the mixer's queue, and leaves out sound that is past.
/// - Thread: the read thread.
struct SoundIntake {
    /// After a seek, sound that was due longer ago than this is not queued.
    private static let past = Nanoseconds.milliseconds(300)

    private let queue: AudioQueue
    /// Whether past sound may come before the sound that is due, and is left out.
    private var passesPast = false
    /// What is read again was queued already up to this media time; nil if nothing is read again.
    private var queuedUntil: Monotonic?
    /// Media time of the unit queued last; nil before the first one since a jump.
    private(set) var last: Monotonic?

    init(_ queue: AudioQueue) { self.queue = queue }

    /// The reader continues at another place.
    /// - Parameter isReread: whether that place is before what was read last, which has been queued.
    mutating func jumped(isReread: Bool) {
        queuedUntil = isReread ? last : nil
        last = queuedUntil
        passesPast = true
    }

    /// - Parameter time: nil if the unit has no time stamp and follows the one before.
    /// - Returns: whether the unit was queued; nil if it was not wanted.
    mutating func put(
        _ unit: AudioUnit, time: Monotonic?, _ bytes: UnsafeRawBufferPointer, head: PlaybackClockControl,
        at now: Monotonic
    ) -> Bool? {
        if let time {
            if let until = queuedUntil {
                guard time > until else { return nil }
                queuedUntil = nil
            }
            guard !passesPast || time + head.state.delay >= head.instant(at: now) - Self.past else { return nil }
            passesPast = false
        } else if queuedUntil != nil {
            return nil
        }
        var unit = unit
        unit.epoch = head.state.epoch
        guard queue.put(unit, bytes) else { return false }
        last = time ?? last
        return true
    }
}
