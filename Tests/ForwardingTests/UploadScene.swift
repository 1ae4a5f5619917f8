// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Time

@testable import Forwarding

/// A schedule and reports of one boot, without a disk.
struct UploadScene {
    let boot = BootID(ordinal: 3, nonce: 5)
    let start = Monotonic(nanoseconds: 1_000_000_000_000)
    private(set) var schedule: UploadSchedule
    private(set) var now: Monotonic
    private(set) var pending = RangeSet<UInt64>()
    private var newest: UInt64 = 0
    private var octets = 0
    private var random: SplitMix64

    init(seed: UInt64 = 1) {
        now = start
        random = SplitMix64(seed: seed)
        schedule = UploadSchedule(box: "box", interval: .seconds(10), at: start)
    }

    /// Adds state reports.
    mutating func spool(states: ClosedRange<UInt64>, octets: Int = 0) {
        pending.insert(contentsOf: states.lowerBound..<states.upperBound + 1)
        (newest, self.octets) = (states.upperBound, octets)
    }

    private func batch(_ sequences: some Sequence<UInt64>) -> SpoolBatch? {
        let payload = [UInt8](repeating: 0x2E, count: octets)
        let records = sequences.map { SpoolRecord($0, .state, nil, payload) }
        return records.isEmpty ? nil : SpoolBatch(boot, records)
    }

    private func summary(_ most: Int) -> SpoolSummary {
        let count = octets == 0 ? 100 : max(1, most / octets)
        return SpoolSummary(
            newest: pending.contains(newest) ? batch([newest]) : nil,
            backlog: batch(pending.ranges.lazy.joined().prefix(count)))
    }

    mutating func restart() { schedule.restart(at: now) }

    mutating func pass(_ span: Nanoseconds) { now += span }

    mutating func next() -> UploadSchedule.Action {
        let scene = self
        return schedule.next(at: now, &random) { scene.summary($0) }
    }

    /// The next request, if there is to be one now.
    mutating func sent() -> (number: UInt64, batch: SpoolBatch)? {
        switch next() {
        case .send(let number, let batch, let deadline):
            precondition(deadline == now + UploadSchedule.longestRequest)
            return (number, batch)
        case .abandon, .wait: return nil
        }
    }

    @discardableResult
    mutating func answer(_ number: UInt64, _ answer: UploadAnswer) -> Settlement? {
        let settlement = schedule.answered(number, answer, at: now, &random)
        if let settlement { pending.subtract(settlement.acknowledged.union(settlement.refused)) }
        return settlement
    }

    /// Lets the time pass until there may be a request.
    mutating func rest() {
        if case .wait(let until?) = next() { now = until }
    }

    /// A request that succeeds at once, and the time until the next one.
    /// - Returns: what was sent.
    mutating func exchange() -> RangeSet<UInt64>? {
        guard let (number, batch) = sent() else { return nil }
        answer(number, .judged(boot: boot, acknowledged: .all, refused: .none, retryAfter: nil))
        rest()
        return batch.sequences
    }

    /// A request that fails at once, and the time until the next one.
    mutating func fail(retryAfter: Int64? = nil) {
        guard let (number, _) = sent() else { return }
        answer(number, .failed(retryAfter: retryAfter))
        rest()
    }
}
