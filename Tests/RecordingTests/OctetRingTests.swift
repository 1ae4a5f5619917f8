// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing
import Time

@testable import Recording

/// A ring of records in memory of its own.
final class RingMemory {
    let octets: UnsafeMutableRawBufferPointer

    init(capacity: Int) {
        octets = .allocate(byteCount: OctetRing.octets(for: capacity), alignment: 64)
        octets.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { octets.deallocate() }

    func ring(_ description: String = "{}") -> OctetRing {
        OctetRing(in: octets, of: self, description: Array(description.utf8))
    }

    /// As the file of a process that was killed now.
    var file: [UInt8] { Array(octets) }
}

@Suite struct OctetRingTests {
    private func append(_ ring: OctetRing, _ number: Int, octets: Int) {
        [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: octets).withUnsafeBytes {
            ring.append(UInt8(number % 10), part: number % 4, at: Monotonic(nanoseconds: Int64(number)), $0)
        }
    }

    private func expectNewest(of image: RingImage, last: Int, sizes: [Int]) {
        #expect(!image.isTorn)
        let first = last + 1 - image.records.count
        for (index, record) in image.records.enumerated() {
            let number = first + index
            #expect(record.time.nanoseconds == Int64(number))
            #expect(record.kind == UInt8(number % 10) && record.part == number % 4)
            #expect(record.content.count == sizes[number])
            #expect(image.octets[record.content].allSatisfy { $0 == UInt8(truncatingIfNeeded: number) })
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func theNewestStayWhole(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let memory = RingMemory(capacity: 4_096)
        let ring = memory.ring("{\"a\":1}")
        let sizes = (0..<400).map { _ in Int.random(in: 0...300, using: &random) }
        for (number, size) in sizes.enumerated() {
            append(ring, number, octets: size)
            guard number % 37 == 0 || number == sizes.count - 1 else { continue }
            expectNewest(of: ring.image(), last: number, sizes: sizes)
            let found = try RingImage(file: memory.file)
            #expect(found.description == Array("{\"a\":1}".utf8))
            expectNewest(of: found, last: number, sizes: sizes)
            // Nothing is given up that there is room for.
            let held = found.records.reduce(0) { $0 + 16 + ($1.content.count + 7) & ~7 }
            #expect(number < 20 || held > 4_096 - 330)
        }
    }

    @Test func whatIsTooLongIsLeftOutAndCounted() {
        let ring = RingMemory(capacity: 4_096).ring()
        append(ring, 1, octets: 100)
        append(ring, 2, octets: 4_000)
        #expect(ring.droppedRecords == 1)
        #expect(ring.image().records.count == 1)
    }

    /// A process that is killed while it writes leaves the record out, whatever of it is in the file.
    @Test func aRecordThatIsBeingWrittenIsLeftOut() throws {
        let memory = RingMemory(capacity: 4_096)
        let ring = memory.ring()
        append(ring, 1, octets: 100)
        var writing = try #require(ring.begin(2, part: 0, at: Monotonic(nanoseconds: 2), count: 64))
        [UInt8](repeating: 2, count: 30).withUnsafeBytes { ring.put($0, &writing) }
        let found = try RingImage(file: memory.file)
        #expect(found.records.map(\.kind) == [1] && !found.isTorn)
    }

    @Test func aFileThatIsCutIsRefused() {
        let memory = RingMemory(capacity: 4_096)
        append(memory.ring(), 1, octets: 100)
        let file = memory.file
        for length in stride(from: 0, to: file.count, by: 101) {
            #expect { _ = try RingImage(file: Array(file.prefix(length))) } throws: { $0 is WireError }
        }
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>) func anyOctetsCanBeRead(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let memory = RingMemory(capacity: 4_096)
        let ring = memory.ring("{}")
        for number in 0..<60 { append(ring, number, octets: Int.random(in: 0...300, using: &random)) }
        for _ in 0..<40 {
            var file = memory.file
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                // The header is where it hurts.
                let range = Bool.random(using: &random) ? 0..<48 : OctetRing.headerOctets..<file.count
                let place = Int.random(in: range, using: &random)
                file[place] = UInt8.random(in: 0...255, using: &random)
            }
            guard let image = try? RingImage(file: file) else { continue }  // refusing is an answer
            #expect(image.records.allSatisfy { $0.content.upperBound <= image.octets.count })
            _ = image.inputLogs(octets: 10_000)
        }
    }
}
