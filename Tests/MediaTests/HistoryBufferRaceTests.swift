// SPDX-License-Identifier: Apache-2.0
import Buffers
import Foundation
import Media
import TestSupport
import Testing
import Time

/// Readers beside the writer, on threads of their own.
@Suite struct HistoryBufferRaceTests {
    /// A payload that proves itself: its number, then octets made of it.
    private static func fill(_ target: UnsafeMutableRawBufferPointer, number: UInt64) {
        var random = SplitMix64(seed: number)
        var offset = 0
        target.storeBytes(of: number, as: UInt64.self)
        offset += 8
        while offset + 8 <= target.count {
            target.storeBytes(of: random.next(), toByteOffset: offset, as: UInt64.self)
            offset += 8
        }
    }

    /// The number of a whole payload; nil when it is torn.
    private static func number(in bytes: UnsafeRawBufferPointer) -> UInt64? {
        let number = bytes.loadUnaligned(as: UInt64.self)
        guard bytes.count == octets(of: number) else { return nil }
        var random = SplitMix64(seed: number)
        for offset in stride(from: 8, to: bytes.count, by: 8)
        where bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) != random.next() { return nil }
        return number
    }

    private static func octets(of number: UInt64) -> Int { 8 + Int(number &* 0x9E37_79B9 >> 8 & 0xff) * 8 }

    /// What a reader saw.
    private struct Ledger: Sendable {
        let records = Counter()
        let torn = Counter()
        let disorder = Counter()
        let overruns = Counter()
    }

    /// Reads until the writer has ended and the live end is reached.
    private static func follow(_ history: HistoryBuffer, until ended: StopFlag, resting: Int, into ledger: Ledger) {
        var cursor = history.oldest
        var last: UInt64?
        withUnsafeTemporaryAllocation(byteCount: history.largestRecord, alignment: 16) { buffer in
            while true {
                let isLast = ended.isRaised
                switch history.read(&cursor, into: buffer) {
                case .record(let record):
                    ledger.records.add()
                    let payload = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<record.octets])
                    guard let number = number(in: payload), record.arrival.nanoseconds == number,
                        record.offset == Nanoseconds(-Int64(number))
                    else {
                        ledger.torn.add()
                        continue
                    }
                    if let last, number != last + 1 { ledger.disorder.add() }
                    last = number
                    if resting > 0, number.isMultiple(of: UInt64(resting)) { usleep(200) }
                case .overrun(let oldest):
                    ledger.overruns.add()
                    cursor = oldest
                    last = nil
                case .atLive:
                    if isLast { return }
                    sched_yield()
                }
            }
        }
    }

    /// The writer laps its readers all the time; each believes only whole records, in order.
    @Test func neverTorn() async {
        let total = UInt64(Effort.scaled(300_000))
        let history = HistoryBuffer(span: .seconds(1), capacity: 65_536, largestRecord: 2_048)
        let ended = StopFlag()
        let quick = Ledger()
        let slow = Ledger()
        await onThreads(
            {
                withUnsafeTemporaryAllocation(byteCount: 2_048, alignment: 8) { buffer in
                    for number in 0..<total {
                        let payload = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Self.octets(of: number)])
                        Self.fill(payload, number: number)
                        history.append(
                            UnsafeRawBufferPointer(payload), arrival: Monotonic(nanoseconds: Int64(number)), flags: [],
                            offset: Nanoseconds(-Int64(number)))
                        if number.isMultiple(of: 64) { sched_yield() }
                    }
                }
                ended.raise()
            },
            { Self.follow(history, until: ended, resting: 0, into: quick) },
            { Self.follow(history, until: ended, resting: 16, into: slow) })
        #expect(quick.torn.value == 0 && slow.torn.value == 0)
        #expect(quick.disorder.value == 0 && slow.disorder.value == 0)
        #expect(quick.records.value + slow.records.value > Int64(total / 50))  // as much as a busy machine lets them
        #expect(slow.overruns.value > 0, "the writer never lapped a reader: the test shows less than it should")
    }
}
