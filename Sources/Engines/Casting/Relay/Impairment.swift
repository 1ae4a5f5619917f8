// SPDX-License-Identifier: Apache-2.0
import Time

/// A bad network as a value: it takes datagrams with their times and gives those that survive when they are due. Equal
/// seed, input and times give equal results. Opens no socket and reads no clock.
///
/// Flows can share a path, as media and repair share a radio: a burst then hits all of them, in the order in which
/// their datagrams come. Each path has random numbers of its own.
public struct Impairment: Sendable {
    /// Totals of each flow, by its index.
    public private(set) var ledgers: [RelayLedger]
    /// Records since `takeRecords` was called last; always empty unless `isRecording`.
    public private(set) var records: [RelayRecord] = []

    private struct Progress {
        /// Numbers of the newest datagram sent and the newest dropped.
        var newestSent: Int64 = -1
        var newestDropped: Int64 = -2
        var burst: Int64 = 0
    }

    private struct Waiting {
        var due: Monotonic
        var flow: Int
        var number: Int64
        var isCopy: Bool
        var bytes: [UInt8]
    }

    private let conditions: ImpairmentConditions
    private let isRecording: Bool
    private let pathOfFlow: [Int]
    private var paths: [ImpairedPath]
    private var progress: [Progress]
    /// Ordered by due time; those before `head` have been sent.
    private var waiting: [Waiting] = []
    private var head = 0
    private var began: Monotonic?

    /// - Parameters:
    ///   - paths: the path of each flow, 0 or 1.
    ///   - isRecording: whether each datagram to which something happens is recorded for `takeRecords`.
    public init(_ conditions: ImpairmentConditions, seed: UInt64, paths: [Int] = [0], isRecording: Bool = false) {
        precondition(paths.allSatisfy { (0...1).contains($0) })
        self.conditions = conditions
        self.isRecording = isRecording
        pathOfFlow = paths
        self.paths = (0...1).map { ImpairedPath(conditions, seed: seed, path: $0) }
        ledgers = paths.map { _ in RelayLedger() }
        progress = paths.map { _ in Progress() }
    }

    /// When the next datagram is due; nil while none waits.
    public var nextDue: Monotonic? { head < waiting.count ? waiting[head].due : nil }

    /// Takes one datagram of a flow.
    /// - Parameter now: never earlier than in an earlier call.
    public mutating func received(_ bytes: UnsafeRawBufferPointer, flow: Int, at now: Monotonic) {
        let number = ledgers[flow].received
        ledgers[flow].received += 1
        let path = pathOfFlow[flow]
        let start = began ?? now
        began = start
        let fate = paths[path].nextFate(conditions, octets: bytes.count)
        let isOut = isOut(path, now - start)
        guard !isOut, !fate.isLost else { return drop(bytes, flow: flow, number: number, isOut: isOut) }
        var copy = Array(bytes)
        if let bit = fate.turnedBit {
            copy[bit / 8] ^= 1 << UInt8(bit % 8)
            ledgers[flow].corrupted += 1
            record(.corrupted, flow, number, bytes)
        }
        let queued = paths[path].queued(at: now, for: fate.delay)
        if queued > now { ledgers[flow].delayed += 1 }
        let due = fate.isHeldBack ? queued + conditions.hold : queued
        enqueue(Waiting(due: due, flow: flow, number: number, isCopy: false, bytes: copy))
        if let later = fate.copyAfter {
            ledgers[flow].duplicated += 1
            record(.duplicated, flow, number, bytes)
            enqueue(Waiting(due: due + later, flow: flow, number: number, isCopy: true, bytes: copy))
        }
    }

    /// Passes on what is due, in order of due time; the octets are valid during the call.
    public mutating func takeDue(
        at now: Monotonic, _ send: (_ bytes: UnsafeRawBufferPointer, _ flow: Int, _ due: Monotonic) -> Void
    ) {
        while head < waiting.count, waiting[head].due <= now {
            let next = waiting[head]
            waiting[head].bytes = []
            head += 1
            ledgers[next.flow].sent += 1
            next.bytes.withUnsafeBytes { bytes in
                if !next.isCopy { passed(next.number, of: next.flow, bytes) }
                send(bytes, next.flow, next.due)
            }
        }
        if head > 1_024, head > waiting.count / 2 {
            waiting.removeFirst(head)
            head = 0
        }
    }

    public mutating func takeRecords() -> [RelayRecord] {
        defer { records.removeAll(keepingCapacity: true) }
        return records
    }

    private func isOut(_ path: Int, _ time: Nanoseconds) -> Bool {
        guard let outage = conditions.outage, outage.period > .zero else { return false }
        let period = outage.period.count
        let phase = (time.count - (path == 0 ? period / 4 : period / 4 * 3)) % period
        return (phase < 0 ? phase + period : phase) < outage.length.count
    }

    private mutating func drop(_ bytes: UnsafeRawBufferPointer, flow: Int, number: Int64, isOut: Bool) {
        ledgers[flow].dropped += 1
        if isOut { ledgers[flow].outages += 1 }
        if progress[flow].newestDropped == number - 1 {
            progress[flow].burst += 1
        } else {
            progress[flow].burst = 1
            ledgers[flow].bursts += 1
        }
        progress[flow].newestDropped = number
        ledgers[flow].longestBurst = max(ledgers[flow].longestBurst, progress[flow].burst)
        record(.dropped, flow, number, bytes)
    }

    private mutating func passed(_ number: Int64, of flow: Int, _ bytes: UnsafeRawBufferPointer) {
        if number > progress[flow].newestSent {
            progress[flow].newestSent = number
        } else {
            ledgers[flow].reordered += 1
            record(.reordered, flow, number, bytes)
        }
    }

    private mutating func enqueue(_ new: Waiting) {
        var place = waiting.count
        while place > head, waiting[place - 1].due > new.due { place -= 1 }
        waiting.insert(new, at: place)
    }

    private mutating func record(
        _ kind: RelayRecord.Kind, _ flow: Int, _ number: Int64, _ bytes: UnsafeRawBufferPointer
    ) {
        guard isRecording else { return }
        let isRTP = bytes.count >= 12 && bytes[0] >> 6 == 2
        records.append(
            RelayRecord(
                kind: kind, flow: flow, number: number,
                sequence: isRTP ? UInt16(bytes[2]) << 8 | UInt16(bytes[3]) : nil))
    }
}
