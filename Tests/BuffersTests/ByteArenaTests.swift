// SPDX-License-Identifier: Apache-2.0
import Buffers
import TestSupport
import Testing

@Suite struct ByteArenaTests {
    /// Every way that a piece can lie across the end.
    @Test func loadsWhatWasStored() {
        let arena = ByteArena(capacity: 4_099)
        let piece = Array(1...37 as ClosedRange<UInt8>)
        for start in (3 * 4_099 - 40)...(3 * 4_099 + 3) {
            piece.withUnsafeBytes { arena.store($0, at: start) }
            var loaded = [UInt8](repeating: 0, count: piece.count)
            loaded.withUnsafeMutableBytes { arena.load(into: $0, at: start) }
            #expect(loaded == piece, "at \(start)")
            #expect(arena.load(UInt64.self, at: start).littleEndian == 0x0807_0605_0403_0201)
        }
    }

    @Test func takesAllOfItsCapacity() {
        let arena = ByteArena(capacity: 4_096)
        let whole = (0..<4_096).map { UInt8(truncatingIfNeeded: $0 / 16) }
        whole.withUnsafeBytes { arena.store($0, at: 1_000) }
        var loaded = [UInt8](repeating: 0, count: 4_096)
        loaded.withUnsafeMutableBytes { arena.load(into: $0, at: 1_000) }
        #expect(loaded == whole)
        loaded.withUnsafeMutableBytes { arena.load(into: $0, at: 1_000 + 4_096) }
        #expect(loaded == whole, "one capacity further is the same place")
    }

    @Test func nothingIsNothing() {
        let arena = ByteArena(capacity: 4_096)
        arena.store(UnsafeRawBufferPointer(start: nil, count: 0), at: 4_095)
        arena.load(into: UnsafeMutableRawBufferPointer(start: nil, count: 0), at: 4_095)
    }
}
