// SPDX-License-Identifier: Apache-2.0
import Buffers
import Synchronization
import Time

/// The last seconds of a channel: an arena of records that the receive thread writes. Playback, recorder and rewind
/// read it through cursors. It is bounded in time and in octets; the oldest records are overwritten.
///
/// - Thread: one writer calls `append`; any thread may call everything else. Nothing waits and nothing allocates.
public final class HistoryBuffer: @unchecked Sendable {
    // Sendable: the writer publishes `tail` before it overwrites and `head` after it has written. A reader copies first
    // and uses the copy only if `tail` has not passed its position meanwhile (a sequence lock).

    /// A record's position. It is valid until the record is overwritten.
    public struct Cursor: Hashable, Sendable {
        public let position: Int
    }

    public struct Flags: OptionSet, Sendable, BitwiseCopyable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// Data are missing before this record.
        public static let afterLoss = Flags(rawValue: 1)
        /// A random-access point of the video begins in this record.
        public static let randomAccess = Flags(rawValue: 2)
        /// From this record on the offset is better known: what came before belongs as much later as it has grown.
        public static let clockCorrected = Flags(rawValue: 4)
        /// From this record on the offset is that of another timeline.
        public static let clockBegan = Flags(rawValue: 8)
    }

    public struct Record: Sendable, BitwiseCopyable {
        public var arrival: Monotonic
        public var octets: Int
        private var knownOffset: Int64
        public var flags: Flags

        init(arrival: Monotonic, octets: Int, flags: Flags, offset: Nanoseconds?) {
            self.arrival = arrival
            self.octets = octets
            self.flags = flags
            knownOffset = offset?.count ?? .min
        }

        /// Offset of the stream's `StreamCorrelation` when the record arrived; nil if the stream's clock was not known
        /// then.
        public var offset: Nanoseconds? { knownOffset == .min ? nil : Nanoseconds(knownOffset) }
    }

    /// A random-access point that is still kept, and its arrival time.
    public struct Point: Hashable, Sendable {
        public let cursor: Cursor
        public let arrival: Monotonic
    }

    public enum ReadResult: Sendable {
        case record(Record)
        /// The cursor is at the live end: no record has arrived there yet.
        case atLive
        /// The record was overwritten; continue at `oldest`.
        case overrun(oldest: Cursor)
    }

    private let arena: ByteArena
    public let span: Nanoseconds
    public let largestRecord: Int
    /// Octets of its memory.
    public var capacity: Int { arena.capacity }
    private let head = Atomic<Int>(0)
    private let tail = Atomic<Int>(0)
    /// Arrival of the record at `tail`; `newestArrival` is that of the record before `head`. Both in ns.
    private let oldestArrival = Atomic<Int64>(0)
    private let newestArrival = Atomic<Int64>(0)
    /// The position behind the record at `tail`, and its arrival. Owned by the writer.
    private var oldestRecord = (end: 0, arrival: Monotonic(nanoseconds: 0))
    private let points = Mutex(PointIndex(capacity: 1_024))
    /// Points closer than this to the one before are not indexed, so that the index reaches as far back as the history: in
    /// radio, each PES packet is one. Owned by the writer, like `lastPoint`.
    private let pointInterval: Nanoseconds
    private let lastPoint = Atomic<Int64>(.min)

    /// - Parameters:
    ///   - span: age of the oldest record kept.
    ///   - capacity: octets kept at most; at least 64 KiB.
    ///   - largestRecord: octets of the largest record; longer ones are refused.
    public init(span: Nanoseconds, capacity: Int, largestRecord: Int = 65_536) {
        precondition(capacity >= 65_536 && largestRecord > 0 && largestRecord + recordSize <= capacity)
        arena = ByteArena(capacity: capacity)
        self.span = span
        pointInterval = max(.milliseconds(200), span / 1_000)
        self.largestRecord = largestRecord
    }

    // MARK: Writer

    /// - Parameter offset: see `Record.offset`.
    /// - Returns: false when the record is larger than `largestRecord` and was not kept.
    @discardableResult
    public func append(
        _ payload: UnsafeRawBufferPointer, arrival: Monotonic, flags: Flags, offset: Nanoseconds? = nil
    ) -> Bool {
        guard payload.count <= largestRecord else { return false }
        let start = head.load(ordering: .relaxed)
        giveWay(to: start + recordSize + payload.count, at: arrival)
        if tail.load(ordering: .relaxed) == start {
            oldestRecord = (start + recordSize + payload.count, arrival)
            oldestArrival.store(arrival.nanoseconds, ordering: .relaxed)
        }
        newestArrival.store(arrival.nanoseconds, ordering: .relaxed)
        let record = Record(arrival: arrival, octets: payload.count, flags: flags, offset: offset)
        withUnsafeBytes(of: record) { arena.store($0, at: start) }
        arena.store(payload, at: start + recordSize)
        head.store(start + recordSize + payload.count, ordering: .releasing)
        if flags.contains(.randomAccess) { index(start, at: arrival) }
        return true
    }

    private func index(_ start: Int, at arrival: Monotonic) {
        let before = lastPoint.load(ordering: .relaxed)
        guard before == .min || arrival.nanoseconds &- before >= pointInterval.count else { return }
        lastPoint.store(arrival.nanoseconds, ordering: .relaxed)
        points.withLock { $0.add(position: start, arrival: arrival) }
    }

    private func giveWay(to end: Int, at now: Monotonic) {
        let live = head.load(ordering: .relaxed)
        var first = tail.load(ordering: .relaxed)
        while first < live, end - first > arena.capacity || now - oldestRecord.arrival > span {
            first = oldestRecord.end
            tail.store(first, ordering: .relaxed)
            // Readers must see the new tail before any octet of the old records changes.
            atomicMemoryFence(ordering: .sequentiallyConsistent)
            guard first < live else { return }
            // Behind the fence, which would wait until the memory, at which nobody has looked for long, has come.
            let record = arena.load(Record.self, at: first)
            oldestRecord = (first + recordSize + record.octets, record.arrival)
            oldestArrival.store(record.arrival.nanoseconds, ordering: .relaxed)
        }
    }

    // MARK: Readers

    public var live: Cursor { Cursor(position: head.load(ordering: .acquiring)) }

    public var oldest: Cursor { Cursor(position: tail.load(ordering: .acquiring)) }

    /// Arrivals of the oldest and of the newest record; nil when there is none. The two may be of slightly different
    /// moments.
    var arrivals: ClosedRange<Monotonic>? {
        let live = head.load(ordering: .acquiring)
        guard tail.load(ordering: .acquiring) < live else { return nil }
        let newest = newestArrival.load(ordering: .relaxed)
        let oldest = oldestArrival.load(ordering: .relaxed)
        return Monotonic(nanoseconds: min(oldest, newest))...Monotonic(nanoseconds: newest)
    }

    /// The newest random-access point that arrived at or before `time`; nil if none is kept.
    public func randomAccessPoint(before time: Monotonic) -> Point? {
        point { (index, first) in index.last(atOrBefore: time, from: first) }
    }

    /// The oldest random-access point that is kept, which is the farthest that a decoder can go back; nil if none is
    /// kept.
    public func oldestRandomAccessPoint() -> Point? {
        point { (index, first) in index.first(from: first) }
    }

    private func point(_ find: (PointIndex, Int) -> PointIndex.Entry?) -> Point? {
        let first = tail.load(ordering: .acquiring)
        return points.withLock { find($0, first) }
            .map { Point(cursor: Cursor(position: $0.position), arrival: $0.arrival) }
    }

    /// Copies the record at `cursor` into `buffer` (at least `largestRecord` octets) and moves the cursor past it.
    public func read(_ cursor: inout Cursor, into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        let live = head.load(ordering: .acquiring)
        guard cursor.position < live else { return .atLive }
        guard cursor.position >= tail.load(ordering: .acquiring) else { return .overrun(oldest: oldest) }
        let record = arena.load(Record.self, at: cursor.position)
        guard isKept(cursor) else { return .overrun(oldest: oldest) }
        precondition(record.octets <= buffer.count)
        let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<record.octets])
        arena.load(into: target, at: cursor.position + recordSize)
        guard isKept(cursor) else { return .overrun(oldest: oldest) }
        cursor = Cursor(position: cursor.position + recordSize + record.octets)
        return .record(record)
    }

    /// Whether the copy made from the cursor is whole: the tail had not passed the cursor by then.
    private func isKept(_ cursor: Cursor) -> Bool {
        atomicMemoryFence(ordering: .acquiring)
        return cursor.position >= tail.load(ordering: .relaxed)
    }
}

private let recordSize = MemoryLayout<HistoryBuffer.Record>.size
