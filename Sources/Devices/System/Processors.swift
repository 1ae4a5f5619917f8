// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The machine's processor cores.
public enum Processors {
    /// Those that are online, 1 and more.
    public static let count = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}
