// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The machine's processor cores.
public enum Processors {
    /// Those that are online, 1 and more.
    public static let count = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// From now on the calling thread, and no other, runs when those of the default priority leave room (nice 10).
    public static func giveWay() {
        _ = nice(10)  // of Linux a thread's own; the only failure is a limit that has no effect either
    }
}
