// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The machine's processor cores.
public enum Processors {
    /// Number of cores online, at least 1.
    public static let count = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// Sets the calling thread, and no other, to nice value 10: it yields to threads of the default priority.
    public static func giveWay() {
        _ = nice(10)  // on Linux a thread's own; it fails only at a limit where it would have no effect either
    }
}
