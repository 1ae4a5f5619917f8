// SPDX-License-Identifier: Apache-2.0
import PacketCaptures
import TestSupport
import Testing
import Time

@testable import Capturing

@Suite struct CaptureRingTests {
    @Test func anEmptyOneIsAFileOfAHeader() throws {
        let ring = CaptureRing(capacity: 100)
        #expect(ring.file(snap: 64) == CaptureFile.header(snap: 64) && ring.fileOctets == 24)
    }

    /// Beside a list that drops its first elements.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func theNewestStayInTheirOrder(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let capacity = Int.random(in: 16...600, using: &random)
        var ring = CaptureRing(capacity: capacity)
        var kept: [CaptureRecord] = []
        var gone = 0
        for number in 0..<200 {
            let size = Int.random(in: 0...120, using: &random)
            let octets = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
            let record = CaptureRecord(
                time: Int64(number) * 1_000_000_007, frame: octets, length: octets.count + number)
            ring.add(octets[...], of: record.length, at: WallTime(nanoseconds: record.time))
            if octets.count + 16 > capacity {
                gone += 1
            } else {
                kept.append(record)
                while kept.reduce(0, { $0 + 16 + $1.frame.count }) > capacity {
                    kept.removeFirst()
                    gone += 1
                }
            }
            #expect(ring.octets <= capacity && ring.frames == kept.count && ring.passedOver == gone)
            let file = ring.file(snap: 120)
            let read = try CaptureRecord.all(in: file)
            #expect(read == kept && file.count == ring.fileOctets)
        }
    }

    /// A slice keeps the indices of its whole.
    @Test func aSliceIsAFrame() throws {
        var ring = CaptureRing(capacity: 64)
        let buffer: [UInt8] = Array(0..<40)
        ring.add(buffer[10..<20], of: 1_500, at: WallTime(nanoseconds: 1))
        let read = try CaptureRecord.all(in: ring.file(snap: 64))
        #expect(read == [CaptureRecord(time: 1, frame: Array(10..<20), length: 1_500)])
    }
}
