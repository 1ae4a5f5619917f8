// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Time

@testable import Forwarding

/// A spool on a disk in memory, with the time that passes.
struct SpooledBox {
    let disk = FakeDisk()
    let options: SpoolOptions
    let start = Monotonic(nanoseconds: 5_000_000_000)
    private(set) var spool: Spool
    private(set) var now: Monotonic
    private var random = SplitMix64(seed: 1)
    /// The wall clock's time when `now` is zero.
    var epoch: Int64 = 1_795_262_400_000_000_000
    var isClockSet = true

    init(_ change: (inout SpoolOptions) -> Void = { _ in }) {
        var options = SpoolOptions()
        change(&options)
        self.options = options
        now = start
        spool = Spool(disk, options, at: Moment(now, nil), &random)
    }

    var moment: Moment { Moment(now, isClockSet ? WallTime(nanoseconds: epoch + now.nanoseconds) : nil) }

    // MARK: What happens

    /// - Parameter octets: of the payload; 0 stands for those of the text.
    /// - Returns: the record that was made; nil if the report was refused.
    mutating func report(_ text: String, _ kind: SpoolRecord.Kind = .state, octets: Int = 0) -> SpoolRecord? {
        let text = Array(text.utf8)
        let payload = text + [UInt8](repeating: 0x2E, count: max(0, octets - text.count))
        let made = moment
        return spool.append(kind, payload, at: made).map { SpoolRecord($0, kind, made.wall, payload) }
    }

    mutating func pass(_ span: Nanoseconds) {
        now += span
        spool.tick(at: moment)
    }

    /// - Parameter boot: nil stands for this start.
    func settle(
        acknowledged: RangeSet<UInt64> = RangeSet(), refused: RangeSet<UInt64> = RangeSet(), of boot: BootID? = nil
    ) {
        spool.settle(Settlement(boot ?? spool.boot, acknowledged: acknowledged, refused: refused), at: moment)
    }

    func settle(acknowledged: [UInt64] = [], refused: [UInt64] = [], of boot: BootID? = nil) {
        settle(acknowledged: RangeSet(sequences: acknowledged), refused: RangeSet(sequences: refused), of: boot)
    }

    func close() { spool.close(at: moment) }

    mutating func open() {
        disk.restart()
        spool = Spool(disk, options, at: moment, &random)
    }

    /// The process is killed, and another one begins.
    mutating func crash() {
        disk.kill()
        open()
    }

    mutating func losePower() {
        disk.losePower(&random)
        open()
    }

    // MARK: What there is

    var names: [String] { disk.files.keys.sorted() }
    var segments: [SegmentName] { names.compactMap { SegmentName($0) } }
    var backlog: SpoolBatch? { spool.summary(octets: 1 << 20, at: now).backlog }
    /// Sequence of the newest state report that is to be sent.
    var newest: UInt64? { spool.summary(octets: 1 << 20, at: now).newest?.records.first?.sequence }
    /// How often records were flushed, but for the state.
    var flushes: Int { (disk.stepsOf["fsync"] ?? 0) - (disk.stepsOf["rename"] ?? 0) }
}
