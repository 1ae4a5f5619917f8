// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Synchronization
import Time
import Timelines

/// Coded pictures on their way from a session's read thread (writer) to its decode thread (reader). They wait here for
/// the decoder, so that sound behind them in the stream need not wait. When the buffer is full, the writer waits, or
/// leaves pictures out if waiting would delay sound.
///
/// A *generation* is everything that was read between two jumps. The writer begins a new one, and does so before it
/// moves the playback clock; the reader then discards what is left of older ones. A thread that moves the clock for a
/// generation checks inside that change that the generation is still the newest.
final class CodedPictures: Sendable {
    /// How the first pictures of a generation are shown.
    enum Beginning: BitwiseCopyable, Sendable {
        /// Of a channel: shown as soon as it is decoded, even before it is due.
        case ofChannel
        /// Pictures that are past are decoded only for the one that is due, which is shown at once.
        case catchingUp
    }

    struct Entry: BitwiseCopyable, Sendable {
        let unit: AccessUnit
        var correlation: StreamCorrelation
        let codec: Codec
        /// Number of the stream. Another stream needs another decoder.
        let stream: Int
        /// Whether the unit begins a sequence that does not refer to earlier units.
        let startsAnew: Bool
        let generation: Int
        let beginning: Beginning
        /// The epoch of the playback clock; see `PlaybackClock.State.epoch`.
        let epoch: Int
        /// Number of random-access points up to and including this unit.
        let point: Int
    }

    static let largestUnit = 4 << 20
    /// Room for one second at 60 Mbit/s and one largest unit, in octets.
    private static let capacity = 12 << 20
    private static let mostNeeded = largestUnit + MemoryLayout<Waiting>.size + 64

    private struct Waiting: BitwiseCopyable, Sendable {
        var entry: Entry
        let mark: ClockCorrections.Mark
    }

    /// By how much the clock was corrected while units waited here. Only the writer corrects.
    let corrections = ClockCorrections()
    private let ring = RecordRing<Waiting>(capacity: capacity, largestRecord: largestUnit)
    private let filled: Wakeup
    private let drained: Wakeup
    private let wantsUnit = Interest()
    private let wantsRoom = Interest()
    // Each atomic is written by one thread. The writer sets these:
    private let newest = Atomic<Int>(0)
    private let points = Atomic<Int>(0)
    private let ended = Atomic<Int>(-1)
    // The reader sets these:
    private let caughtUp = Atomic<Int>(-1)
    private let finished = Atomic<Int>(-1)
    private let end = Atomic<Int64>(.min)
    private let placed = Atomic<Bool>(false)

    /// - Parameters:
    ///   - filled: wakes the decode thread.
    ///   - drained: wakes the read thread.
    init(filled: Wakeup, drained: Wakeup) {
        self.filled = filled
        self.drained = drained
    }

    var generation: Int { newest.load(ordering: .acquiring) }

    /// Number of the last random-access point that was put.
    var newestPoint: Int { points.load(ordering: .relaxed) }

    var isEmpty: Bool { ring.isEmpty }

    // MARK: Writer

    /// Whether a unit of any size fits. If none does, the read thread is woken once one does.
    var hasRoom: Bool {
        if fitsAny { return true }
        wantsRoom.declare()
        return fitsAny
    }

    private var fitsAny: Bool { ring.room >= Self.mostNeeded }

    func beginGeneration() {
        newest.wrappingAdd(1, ordering: .acquiringAndReleasing)
        filled.signal()
    }

    /// - Returns: false if the unit does not fit.
    func put(_ entry: Entry, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard ring.offer(Waiting(entry: entry, mark: corrections.mark), bytes) else { return false }
        points.store(entry.point, ordering: .relaxed)
        if wantsUnit.take() { filled.signal() }
        return true
    }

    /// No further unit follows in this generation.
    func endGeneration() {
        guard ended.load(ordering: .relaxed) != generation else { return }
        ended.store(generation, ordering: .releasing)
        filled.signal()
    }

    /// Whether decoding has reached the picture that is due.
    var isCaughtUp: Bool { caughtUp.load(ordering: .relaxed) == generation }

    /// Whether the last picture of an ended generation has been handed on.
    var isFinished: Bool { finished.load(ordering: .acquiring) == generation }

    /// Whether the decoder has given out a picture of the channel, so that pictures have begun to follow each other.
    var hasPlacedFirst: Bool { placed.load(ordering: .relaxed) }

    /// Media time at which the last picture ends; valid only when `isFinished`. nil if there was no picture.
    var picturesEnd: Monotonic? {
        let nanoseconds = end.load(ordering: .relaxed)
        return nanoseconds == .min ? nil : Monotonic(nanoseconds: nanoseconds)
    }

    // MARK: Reader

    /// Calls `body` with the oldest unit, which is valid during the call.
    /// - Returns: false if there is none; the next `put` then wakes the reader.
    func take(_ body: (Entry, UnsafeRawBufferPointer) -> Void) -> Bool {
        if takeWaiting(body) { return true }
        wantsUnit.declare()
        return takeWaiting(body)
    }

    private func takeWaiting(_ body: (Entry, UnsafeRawBufferPointer) -> Void) -> Bool {
        ring.take { waiting, bytes in
            if fitsAny, wantsRoom.take() { drained.signal() }
            var entry = waiting.entry
            entry.correlation = entry.correlation.moved(by: corrections.since(waiting.mark))
            body(entry, bytes)
        }
    }

    func hasEnded(_ generation: Int) -> Bool { ended.load(ordering: .acquiring) == generation }

    func placeFirst() { placed.store(true, ordering: .relaxed) }

    func catchUp(_ generation: Int) { caughtUp.store(generation, ordering: .relaxed) }

    func finish(_ generation: Int, picturesEnd: Monotonic?) {
        guard finished.load(ordering: .relaxed) != generation else { return }
        end.store(picturesEnd?.nanoseconds ?? .min, ordering: .relaxed)
        finished.store(generation, ordering: .releasing)
        drained.signal()
    }
}
