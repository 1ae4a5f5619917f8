// SPDX-License-Identifier: Apache-2.0
import CSystemShims

/// The process's malloc heap.
public enum HeapMemory {
    /// Returns unused pages to the kernel (`malloc_trim`). Without it, free pages below long-lived allocations stay
    /// resident, and after a thousand sessions the heap stays at its greatest size ever.
    ///
    /// - Thread: any. It takes about a millisecond, during which other threads that allocate wait, so it must not be
    ///   called within the 1/60 s of a frame.
    public static func giveBack() { touchline_trim_heap() }

    /// From now on each block of 128 KiB or more is a mapping of its own, which goes back to the kernel when it is freed
    /// (`M_MMAP_THRESHOLD`). By default glibc puts blocks as large as the largest that was ever freed, up to 32 MiB, into
    /// its arenas. Histories and pictures of changing sessions leave holes there which small blocks then occupy.
    ///
    /// - Thread: any; for the whole process, however often it is called.
    public static func mapLargeBlocks() {
        let isTaken = touchline_map_blocks(128 << 10)
        precondition(isTaken == 1, "mallopt refuses M_MMAP_THRESHOLD")
    }

    /// From now on threads share two arenas (`M_ARENA_MAX`). By default glibc makes up to eight for each processor, and a
    /// block that outlives its session keeps pages in whichever of them its thread had: a thousand faults of a venue
    /// on one box (`board/soak --faults`) held 65 MiB and grew by 9.4 ± 2.5 KiB each, with two arenas 39 MiB and by
    /// 2.1 ± 1.4.
    ///
    /// - Thread: any, before others allocate; for the whole process.
    public static func shareArenas() {
        let isTaken = touchline_limit_arenas(2)
        precondition(isTaken == 1, "mallopt refuses M_ARENA_MAX")
    }
}
