// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
import Glibc
#endif

/// Multicast groups on the loopback interface.
public enum Groups {
    /// False where the kernel is an emulator's, for which a socket hears all groups or none; tests that tune are skipped.
    public static let canBeJoined: Bool = {
        let made = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
        defer { close(made) }
        var off: CInt = 0
        let result = setsockopt(
            made, CInt(IPPROTO_IP), IP_MULTICAST_ALL, &off, socklen_t(MemoryLayout.size(ofValue: off)))
        let isUnknown = result != 0 && errno == ENOPROTOOPT
        if isUnknown { print("SKIP: no group can be joined here: tests that tune are left out") }
        return !isUnknown
    }()
}
