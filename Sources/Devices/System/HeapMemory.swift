// SPDX-License-Identifier: Apache-2.0
import CSystemShims

/// What the process has of the kernel for small things (malloc).
public enum HeapMemory {
    /// Gives back the pages that hold nothing any more. Without it they stay behind whatever lives long above them: two
    /// sessions leave other gaps than one, a thousand leave the most that ever was.
    ///
    /// - Thread: any, but it takes a millisecond or so, in which others that allocate wait; not in anybody's tick of 1/60 s.
    public static func giveBack() { touchline_trim_heap() }
}
