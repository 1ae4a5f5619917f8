// SPDX-License-Identifier: Apache-2.0
import Glibc
import System
import Testing

@Suite struct HeapMemoryTests {
    private static let (blocks, size) = (256, 65_536)

    /// What lies between blocks that stay is given back, too, which glibc by itself never does.
    @Test func givesBackWhatLiesBelowWhatLives() throws {
        var freed: [UnsafeMutableRawPointer] = []
        var kept: [UnsafeMutableRawPointer] = []
        for number in 0..<Self.blocks {
            let block = try #require(malloc(Self.size))
            memset(block, 1, Self.size)
            if number % 8 == 7 { kept.append(block) } else { freed.append(block) }
        }
        defer { kept.forEach { free($0) } }
        freed.forEach { free($0) }
        let before = residentPages(freed)
        HeapMemory.giveBack()
        let after = residentPages(freed)
        // Other tests may have taken some of it meanwhile.
        #expect(before > freed.count * 8 && after < before / 4, "\(before) pages, then \(after)")
    }

    /// Also after a larger one was freed, which by default has those that follow lie in arenas. malloc's own header of
    /// 16 octets begins a mapping.
    @Test func largeBlocksAreMappings() {
        HeapMemory.mapLargeBlocks()
        free(malloc(24 << 20))
        let blocks = (0..<256).map { _ in malloc(1 << 20) }
        defer { blocks.forEach { free($0) } }
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        // What other tests have freed serves some of them.
        let mapped = blocks.count { Int(bitPattern: $0) % page == 16 }
        #expect(mapped > blocks.count / 2)
    }

    /// Of those that lay whole in one of the blocks.
    private func residentPages(_ blocks: [UnsafeMutableRawPointer]) -> Int {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        var isResident = [UInt8](repeating: 0, count: Self.size / page)
        var count = 0
        for block in blocks {
            let first = block.alignedUp(toMultipleOf: page)
            let length = (Self.size - block.distance(to: first)) / page * page
            guard mincore(first, length, &isResident) == 0 else { continue }
            count += isResident[..<(length / page)].count { $0 & 1 == 1 }
        }
        return count
    }
}
