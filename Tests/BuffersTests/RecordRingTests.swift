// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Buffers

@Suite struct RecordRingTests {
    private struct Header: BitwiseCopyable, Sendable, Equatable {
        var number: Int
        var flag: UInt8
    }

    private static func take(from ring: RecordRing<Header>) -> (header: Header, payload: [UInt8])? {
        var taken: (header: Header, payload: [UInt8])?
        let isThere = ring.take { taken = ($0, Array($1)) }
        #expect(isThere == (taken != nil))
        return taken
    }

    /// Records of sizes that share no factor with the ring's, so that headers and payloads wrap at every octet.
    @Test func wrapsAnywhere() {
        let ring = RecordRing<Header>(capacity: 4_096, largestRecord: 2_000)
        for number in 0..<20_000 {
            let payload = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number * 37 % 301)
            let header = Header(number: number, flag: UInt8(number % 2))
            #expect(payload.withUnsafeBytes { ring.offer(header, $0) })
            let taken = Self.take(from: ring)
            #expect(taken?.header == header && taken?.payload == payload)
        }
    }

    @Test func refusesWhatDoesNotFit() {
        let ring = RecordRing<Header>(capacity: 4_096, largestRecord: 1_100)
        let payload = [UInt8](repeating: 1, count: 1_101)
        func offer(_ number: Int, octets: Int) -> Bool {
            payload.withUnsafeBytes { ring.offer(Header(number: number, flag: 0), .init(rebasing: $0[..<octets])) }
        }
        #expect(!offer(-1, octets: 1_101), "larger than the largest")
        var kept = 0
        while offer(kept, octets: 1_100) { kept += 1 }
        #expect(kept == 3, "four payloads of 1100 and their headers are more than 4096 octets")
        #expect(!offer(kept, octets: 1_100))
        #expect(Self.take(from: ring)?.header.number == 0)
        #expect(offer(kept, octets: 1_100), "there is room again")
        for number in 1...kept { #expect(Self.take(from: ring)?.header.number == number) }
        #expect(Self.take(from: ring) == nil)
        #expect(offer(9, octets: 0))
        #expect(Self.take(from: ring)?.payload == [])
    }

    /// An octet more than there is room for would overwrite the first octet of the oldest record.
    @Test func isFilledToTheLastOctet() {
        let ring = RecordRing<Header>(capacity: 4_096, largestRecord: 4_096)
        let payload = [UInt8](repeating: 7, count: 4_096)
        func offer(octets: Int) -> Bool {
            payload.withUnsafeBytes { ring.offer(Header(number: octets, flag: 1), .init(rebasing: $0[..<octets])) }
        }
        #expect(offer(octets: 1_000))
        let overhead = 4_096 - 1_000 - ring.room
        let left = ring.room - overhead
        #expect(!offer(octets: left + 1))
        #expect(offer(octets: left))
        #expect(ring.room == 0)
        for octets in [1_000, left] {
            let taken = Self.take(from: ring)
            #expect(taken?.header == Header(number: octets, flag: 1))
            #expect(taken?.payload == [UInt8](repeating: 7, count: octets))
        }
        #expect(ring.isEmpty)
    }

    /// Records of which some lie in several chunks, and of which up to a few or as many as there is room for wait.
    @Test(arguments: [1, 7, 400]) func keepsTheirOrderHoweverManyWait(most: Int) {
        let ring = RecordRing<Header>(capacity: 8_192, largestRecord: 3_000)
        var (offered, taken, refused) = (0, 0, 0)
        func payload(_ number: Int) -> [UInt8] {
            let octets = number % 5 == 0 ? number * 53 % 3_001 : number % 9
            return [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: octets)
        }
        while taken < 20_000 {
            while offered - taken < most {
                let isTaken = payload(offered).withUnsafeBytes { ring.offer(Header(number: offered, flag: 0), $0) }
                guard isTaken else {
                    refused += 1
                    break
                }
                offered += 1
            }
            for _ in 0...taken % max(1, most / 2) where taken < offered {
                let next = Self.take(from: ring)
                #expect(next?.header.number == taken && next?.payload == payload(taken))
                taken += 1
            }
        }
        #expect((refused > 0) == (most == 400), "the ring is full where it should be, and only there")
    }

    /// Of the memory of a queue in which little waits only a little is touched.
    @Test func touchesWhatWaits() {
        let ring = RecordRing<Header>(capacity: 12 << 20, largestRecord: 65_536)
        let payload = [UInt8](repeating: 1, count: 65_536)
        func offer() -> Bool { payload.withUnsafeBytes { ring.offer(Header(number: 0, flag: 0), $0) } }
        for _ in 0..<2 { #expect(offer()) }
        for _ in 0..<2_000 {
            #expect(offer())
            _ = ring.take { _, _ in }
        }
        let touched = ring.arena.touched
        #expect(touched <= 3 * (256 << 10), "\(touched) octets")
    }

    @Test func handsOverBetweenThreads() async {
        let total = 200_000
        let ring = RecordRing<Header>(capacity: 8_192, largestRecord: 256)
        let refused = Counter()
        let damaged = Counter()
        await onThreads(
            {
                withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { payload in
                    for number in 0..<total {
                        let bytes = UnsafeMutableRawBufferPointer(rebasing: payload[..<(number % 257)])
                        bytes.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: number))
                        let header = Header(number: number, flag: UInt8(truncatingIfNeeded: number))
                        while !ring.offer(header, UnsafeRawBufferPointer(bytes)) {
                            refused.add()
                            sched_yield()
                        }
                    }
                }
            },
            {
                var expected = 0
                while expected < total {
                    let isThere = ring.take { header, bytes in
                        let octet = UInt8(truncatingIfNeeded: expected)
                        let isWhole =
                            header == Header(number: expected, flag: octet) && bytes.count == expected % 257
                            && bytes.allSatisfy { $0 == octet }
                        if !isWhole { damaged.add() }
                        expected += 1
                    }
                    if !isThere { sched_yield() }
                }
            })
        #expect(damaged.value == 0)
        #expect(refused.value > 0, "the ring was never full: the test shows less than it should")
    }
}
