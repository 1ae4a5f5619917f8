// SPDX-License-Identifier: Apache-2.0
import Bytes
import Foundation
import Media
import TestSupport
import Testing
import Time
import Timelines
import Venue

@testable import Reception

/// Hours of a channel by input log, in simulated time: `TOUCHLINE_HOURS` of them, else a minute.
@Suite struct LongLogTests {
    private static let hours = ProcessInfo.processInfo.environment["TOUCHLINE_HOURS"].flatMap(Int.init)
    private static let start = Monotonic(nanoseconds: 90_000_000_000)
    /// Our clock runs by so much faster than the sender's.
    private static let drift: Int64 = 50  // ppm

    /// The clock follows a sender that drifts, over the wraps of all its numbers and what is lost on the way; each lost
    /// packet is counted as what it is; and the process does not grow.
    @Test func anHourIsAsTheOneBefore() throws {
        let minutes = Self.hours.map { $0 * 60 } ?? 1
        let flow = FlowReceiver(.rtp(payloadType: 33), into: HistoryBuffer(span: .seconds(30), capacity: 16 << 20))
        var sender = LongSender(startingAt: Self.start, driftPPM: Self.drift)
        var log = WireWriter()
        var (errors, usage): ([Double], [ProcessUsage]) = ([], [])
        for second in 0..<Int64(minutes) * 60 {
            log.removeAll()
            sender.writeSecond(second, to: &log)
            try replay(log.bytes, into: flow)
            guard second % 10 == 9, let offset = flow.correlation?.offset else { continue }
            errors.append(Double((offset - sender.offset).microseconds) / 1_000)
            usage.append(try ProcessUsage())
        }
        let counters = flow.counters
        #expect(counters.lostPackets == sender.lost && counters.lostToKernel == sender.lostToKernel)
        #expect(counters.clockJumps == 0 && counters.clockStalls == 0 && counters.pcrDoubtful == 0)
        #expect(counters.clockLocked == 1 && counters.clockSource == 2 && counters.sequenceRestarts == 0)
        let settled = Array(errors.dropFirst(3))
        let spread = (settled.max() ?? 0) - (settled.min() ?? 0)
        #expect(spread < 5, "\(settled.min() ?? 0)...\(settled.max() ?? 0) ms")
        guard Self.hours != nil else { return }
        let filled = usage.dropFirst(usage.count / 6)  // the history is full by then
        let (clock, heap) = (Trend(settled), Trend(filled.map { Double($0.anonymous) }))
        print(
            """
            \(minutes) minutes, \(counters.datagrams) datagrams, \(sender.lost) lost, of these \(sender.lostToKernel) \
            to the kernel; \(usage.last.map { "\($0)" } ?? "")
            ms of the clock's error, a step of 10 s: \(clock)
            KiB of anonymous memory, a step of 10 s: \(heap)
            """)
        #expect(heap.isFlat(within: 0.05))
        let first = try #require(filled.first)
        #expect(filled.allSatisfy { $0.descriptors <= first.descriptors && $0.threads <= first.threads })
    }
}
