// SPDX-License-Identifier: Apache-2.0
import Glibc

/// How many descriptors this process may have open.
public enum DescriptorLimit {
    /// Raises the limit, as far as the system permits it without a privilege.
    /// - Returns: the limit in force.
    @discardableResult
    public static func raise(to wanted: Int) -> Int {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return 0 }
        if limits.rlim_cur < rlim_t(wanted) {
            let before = limits.rlim_cur
            limits.rlim_cur = min(rlim_t(wanted), limits.rlim_max)
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) != 0 { limits.rlim_cur = before }
        }
        return Int(clamping: limits.rlim_cur)
    }
}
