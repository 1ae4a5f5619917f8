// SPDX-License-Identifier: Apache-2.0
import Foundation
import Time

/// What the calling thread has had of a processor: others that want it too do not count.
enum ThreadTime {
    static var now: Nanoseconds {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
