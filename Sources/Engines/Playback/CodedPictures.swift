// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Synchronization
import Time
import Timelines

/// Coded pictures from a session's read thread (writer) to its decode thread (reader). They wait here for the decoder, so
/// that sound behind them in the stream need not. When it is full the writer waits, or leaves pictures out where waiting
/// would hold up sound.
///
/// A *generation* is what was read without a jump. The writer begins another one; the reader throws what is left of those
/// before away. It does so before the play-head is moved: who changes the play-head on behalf of a generation asks
/// within that change whether it is still the newest.
final class CodedPictures: Sendable {
    /// How the first pictures of a generation are shown.
    enum Beginning: BitwiseCopyable, Sendable {
        /// A channel's: as soon as it is there, even ahead of its time.
        case ofChannel
        /// Those that are past are decoded only for the one that is due, which is shown at once.
        case catchingUp
        /// The first is due when it comes: nobody can say what should have been shown.
        case anchored
    }

    struct Entry: BitwiseCopyable, Sendable {
        let unit: AccessUnit
        let correlation: StreamCorrelation
        let codec: Codec
        /// Counts streams: another one has another decoder.
        let stream: Int
        /// It does not refer to what was before.
        let startsAnew: Bool
        let generation: Int
        let beginning: Beginning
        /// See `PlayHead.State.epoch`.
        let epoch: Int
        /// Counts random-access points; that of the newest up to here.
        let point: Int
    }

    static let largestUnit = 4 << 20
    /// A second of 60 Mbit/s, and a unit.
    private static let capacity = 12 << 20

    private let ring = RecordRing<Entry>(capacity: capacity, largestRecord: largestUnit)
    private let filled: Wakeup
    private let drained: Wakeup
    private let wantsUnit = Interest()
    // Each is written by one of the two threads: these by the writer,
    private let newest = Atomic<Int>(0)
    private let points = Atomic<Int>(0)
    private let ended = Atomic<Int>(-1)
    private let restarts = Atomic<Int>(0)
    // and these by the reader.
    private let caughtUp = Atomic<Int>(-1)
    private let finished = Atomic<Int>(-1)
    private let end = Atomic<Int64>(.min)

    /// - Parameters:
    ///   - filled: the decode thread's own wake-up.
    ///   - drained: the read thread's.
    init(filled: Wakeup, drained: Wakeup) {
        self.filled = filled
        self.drained = drained
    }

    var generation: Int { newest.load(ordering: .acquiring) }

    /// Of the random-access point put last.
    var newestPoint: Int { points.load(ordering: .relaxed) }

    /// Counts the decoders that were to be given up.
    var decoderRestarts: Int { restarts.load(ordering: .relaxed) }

    var isEmpty: Bool { ring.isEmpty }

    /// Any unit fits.
    var hasRoom: Bool { ring.room >= Self.largestUnit + MemoryLayout<Entry>.size + 64 }

    // MARK: Writer

    func beginGeneration() {
        newest.wrappingAdd(1, ordering: .acquiringAndReleasing)
        filled.signal()
    }

    /// - Returns: false when it does not fit.
    func put(_ entry: Entry, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard ring.offer(entry, bytes) else { return false }
        points.store(entry.point, ordering: .relaxed)
        if wantsUnit.take() { filled.signal() }
        return true
    }

    /// No unit follows in this generation.
    func endGeneration() {
        guard ended.load(ordering: .relaxed) != generation else { return }
        ended.store(generation, ordering: .releasing)
        filled.signal()
    }

    /// The decoder hangs or errs: what comes gets another one.
    func restartDecoder() { restarts.wrappingAdd(1, ordering: .relaxed) }

    /// The decoder has come to what is due.
    var isCaughtUp: Bool { caughtUp.load(ordering: .relaxed) == generation }

    /// The last picture of an ended generation has been handed on.
    var isFinished: Bool { finished.load(ordering: .acquiring) == generation }

    /// Media time at which the last picture makes way; only when `isFinished`, nil when there was none.
    var picturesEnd: Monotonic? {
        let nanoseconds = end.load(ordering: .relaxed)
        return nanoseconds == .min ? nil : Monotonic(nanoseconds: nanoseconds)
    }

    // MARK: Reader

    /// Calls `body` with the oldest unit, valid during the call.
    /// - Returns: false when there is none: then the next `put` wakes the reader.
    func take(_ body: (Entry, UnsafeRawBufferPointer) -> Void) -> Bool {
        if takeWaiting(body) { return true }
        wantsUnit.declare()
        return takeWaiting(body)
    }

    private func takeWaiting(_ body: (Entry, UnsafeRawBufferPointer) -> Void) -> Bool {
        let hadRoom = hasRoom
        return ring.take { entry, bytes in
            if !hadRoom { drained.signal() }
            body(entry, bytes)
        }
    }

    func hasEnded(_ generation: Int) -> Bool { ended.load(ordering: .acquiring) == generation }

    func catchUp(_ generation: Int) { caughtUp.store(generation, ordering: .relaxed) }

    func finish(_ generation: Int, picturesEnd: Monotonic?) {
        guard finished.load(ordering: .relaxed) != generation else { return }
        end.store(picturesEnd?.nanoseconds ?? .min, ordering: .relaxed)
        finished.store(generation, ordering: .releasing)
        drained.signal()
    }
}
