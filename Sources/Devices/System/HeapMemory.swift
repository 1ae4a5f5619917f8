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
}
