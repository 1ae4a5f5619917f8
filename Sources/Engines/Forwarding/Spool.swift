// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// Keeps reports until a reporter has acknowledged them (SVM-129). They lie in segments in a directory, which is bounded
/// by octets and by age.
///
/// A report is promised once it is flushed; then neither a crash nor a loss of power takes it. It is sent at least
/// once: what is not settled stays. A report that had to give way is counted as lost, on the disk, before it is
/// removed. While the disk fails, reports stay in memory, from where they can be sent as well, and the disk is tried
/// again and again.
///
/// - Thread: one at a time, which may wait for the disk.
public final class Spool {
    enum UnreadFile {
        case state
        case segment(SegmentName)
    }

    /// Of this start. It is final once the spool is made.
    public internal(set) var boot: BootID
    /// What failed last; nil while the disk is well.
    public internal(set) var problem: String?

    let files: any SpoolFiles
    private(set) var options: SpoolOptions
    let opened: Monotonic
    var counts = SpoolCounters()
    var ledger = SpoolLedger()
    var intake = SpoolIntake()
    private var lastSequence: UInt64 = 0
    private var newestState: SpoolRecord?

    // What is tried again.
    /// Files of earlier starts that were not read yet, the next one last; nil if it is not known which there are.
    var unread: [UnreadFile]?
    /// How often the next one of these was tried.
    var readings = 0
    /// Files that are to be removed: what is left of writes that failed.
    var strays: Set<String> = []
    var isStateKnown = false
    var isStateDirty = false
    /// Whether files were removed since the names were flushed.
    var hasRemoved = false
    /// When the disk is tried again; nil while it is well. Writing and all else fail independently of each other.
    var writeRetry: Monotonic?
    var upkeepRetry: Monotonic?
    var lastFlush: Monotonic?
    var lastStateWrite: Monotonic?

    /// The segment that was read last, and those that could not be read.
    var loaded: (name: SegmentName, records: [SpoolRecord])?
    var unreadable: Set<SegmentName> = []

    /// Opens a directory and reads what is there. It throws nothing: a spool without a disk keeps reports in memory.
    public init(
        _ files: any SpoolFiles, _ options: SpoolOptions = SpoolOptions(), at moment: Moment,
        _ random: inout some RandomNumberGenerator
    ) {
        precondition(options.isConsistent, "a segment has room, and two of them")
        self.files = files
        self.options = options
        opened = moment.now
        boot = BootID(ordinal: 0, nonce: random.next())
        work(at: moment)
        let known = ledger.segments.map(\.name.boot) + ledger.state.settled.keys
        guard let newest = known.map(\.ordinal).max() else {
            if unread != nil { boot = BootID(ordinal: 1, nonce: boot.nonce) }
            return
        }
        boot = BootID(ordinal: newest == .max ? newest : newest + 1, nonce: boot.nonce)
    }

    // MARK: Reports

    /// Takes a report.
    /// - Parameter make: makes it, given its sequence.
    /// - Returns: its sequence; nil if it is too long, which is counted. Then the next report gets it.
    @discardableResult
    public func append(
        _ kind: SpoolRecord.Kind, at moment: Moment, _ make: (_ sequence: UInt64) -> [UInt8]
    ) -> UInt64? {
        let payload = make(lastSequence + 1)
        let octets = payload.count + SpoolRecord.headerOctets
        guard payload.count <= SpoolRecord.mostOctets, octets <= options.segmentOctets else {
            counts.tooLong += 1
            return nil
        }
        lastSequence += 1
        let record = SpoolRecord(lastSequence, kind, moment.wall, payload)
        counts.appended += 1
        if kind == .state { newestState = record }
        intake.add(record)
        work(at: moment)
        return lastSequence
    }

    /// Likewise a report that is made without its sequence.
    @discardableResult
    package func append(_ kind: SpoolRecord.Kind, _ payload: [UInt8], at moment: Moment) -> UInt64? {
        append(kind, at: moment) { _ in payload }
    }

    /// Keeps what is there within other bounds from now on.
    public func follow(_ options: SpoolOptions, at moment: Moment) {
        precondition(options.isConsistent, "a segment has room, and two of them")
        self.options = options
        work(at: moment)
    }

    /// Reports of this start up to this sequence are on the disk, or settled.
    public var promisedThrough: UInt64 { intake.firstAtRisk.map { $0 - 1 } ?? lastSequence }

    /// Reports are not sent any more. Only reports that were still to be sent are counted.
    public func settle(_ settlement: Settlement, at moment: Moment) {
        let boot = settlement.boot
        var known = boot == self.boot ? intake.waitingSequences : RangeSet()
        for segment in ledger.segments where segment.name.boot == boot { known.formUnion(ledger.pending(in: segment)) }
        let acknowledged = settlement.acknowledged.intersection(known)
        let refused = settlement.refused.intersection(known).subtracting(acknowledged)
        counts.acknowledged += ledger.settle(acknowledged, of: boot)
        counts.refused += ledger.settle(refused, of: boot)
        guard !acknowledged.isEmpty || !refused.isEmpty else { return }
        if boot == self.boot { intake.settle(acknowledged.union(refused)) }
        isStateDirty = true
        work(at: moment)
    }

    /// The newest state report of this start, unless it is settled.
    var pendingState: SpoolRecord? {
        newestState.flatMap { ledger.state.settled[boot]?.contains($0.sequence) == true ? nil : $0 }
    }

    // MARK: Time

    /// Does what is due. To be called at `nextTick`, and once a minute for the sake of age.
    public func tick(at moment: Moment) { work(at: moment) }

    /// nil if nothing is to be done.
    public var nextTick: Monotonic? {
        var due = [writeRetry, upkeepRetry].compactMap { $0 }
        if writeRetry == nil, intake.hasUnflushed { due.append((lastFlush ?? opened) + options.flushPause) }
        if upkeepRetry == nil, isStateDirty { due.append((lastStateWrite ?? opened) + options.statePause) }
        return due.min()
    }

    /// Flushes everything that the disk takes.
    public func close(at moment: Moment) {
        (writeRetry, upkeepRetry) = (nil, nil)
        write(at: moment)
        flush(at: moment.now)
        upkeep(at: moment)
        if isStateDirty { writeState(ledger.state, at: moment.now) }
    }

    private func work(at moment: Moment) {
        if upkeepRetry.map({ $0 <= moment.now }) ?? true { upkeep(at: moment) }
        if writeRetry.map({ $0 <= moment.now }) ?? true { write(at: moment) }
        let shed = intake.shed(to: options.mostUnwrittenOctets)
        if ledger.giveUp(shed, of: boot) > 0 { isStateDirty = true }
        if writeRetry == nil, upkeepRetry == nil { problem = nil }
    }

    // MARK: Counters

    public var counters: SpoolCounters {
        var counters = counts
        counters.lost = ledger.state.lost
        counters.unwritten = Int64(intake.waiting.count)
        counters.pending = ledger.pendingCount + counters.unwritten
        counters.octets = Int64(ledger.octets)
        return counters
    }

    func noteFailure(_ error: SystemCallError) {
        counts.diskFailures += 1
        problem = "\(error)"
    }
}
