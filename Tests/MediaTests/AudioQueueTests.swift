// SPDX-License-Identifier: Apache-2.0
import Buffers
import TestSupport
import Testing
import Time

@testable import Media

@Suite struct AudioQueueTests {
    private func queue(waitsForRoom: Bool, drained: Wakeup = Wakeup()) -> AudioQueue {
        AudioQueue(
            session: 1, playbackClock: PlaybackClock(PlaybackClock.State(delay: .zero)),
            waitsForRoom: waitsForRoom, drained: drained)
    }

    private func put(_ number: Int64, into queue: AudioQueue, octets: Int = 10_000) -> Bool {
        let unit = AudioUnit(codec: .aac, stream: 1, pts: number, offset: .zero, epoch: 0)
        return [UInt8](repeating: 7, count: octets).withUnsafeBytes { queue.put(unit, $0) }
    }

    @Test func aLiveSessionsUnitIsDroppedWhenFull() {
        let queue = queue(waitsForRoom: false)
        var kept: Int64 = 0
        while put(kept, into: queue) { kept += 1 }
        #expect(kept > 90)
        var taken: [Int64?] = []
        while queue.take({ unit, _ in taken.append(unit.pts) }) {}
        #expect(taken == (0..<kept).map { $0 })
        #expect(put(1, into: queue))
    }

    /// What waits is corrected, and what comes behind a correction is not.
    @Test func whatWaitsIsCorrected() {
        let queue = queue(waitsForRoom: false)
        _ = put(1, into: queue)
        queue.corrections.correct(by: .milliseconds(1_400))
        _ = put(2, into: queue)
        queue.corrections.correct(by: .milliseconds(-400))
        var offsets: [Nanoseconds] = []
        while queue.take({ unit, _ in offsets.append(unit.offset) }) {}
        #expect(offsets == [.milliseconds(1_000), .milliseconds(-400)])
    }

    @Test func aFileSessionWaitsAndLosesNothing() async {
        let drained = Wakeup()
        let queue = queue(waitsForRoom: true, drained: drained)
        let count: Int64 = 1_000
        await onThreads(
            {
                for number in 0..<count {
                    while !queue.hasRoom { drained.wait(until: Monotonic(nanoseconds: .max)) }
                    #expect(put(number, into: queue))
                }
            },
            {
                var next: Int64 = 0
                while next < count {
                    _ = queue.take { unit, bytes in
                        #expect(unit.pts == next && bytes.count == 10_000)
                        next += 1
                    }
                }
            })
    }

    @Test func whatNeverFitsIsRefused() {
        let queue = queue(waitsForRoom: true)
        #expect(!put(0, into: queue, octets: AudioQueue.largestUnit + 1))
    }
}
