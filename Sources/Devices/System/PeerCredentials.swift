// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// The user and the groups of the process at the other end of a Unix socket, as the kernel recorded them when it connected.
/// The process cannot choose them.
public struct PeerCredentials: Equatable, Sendable {
    public let user: uid_t
    /// The group of the process and its supplementary groups.
    public let groups: Set<gid_t>

    public init(user: uid_t, groups: Set<gid_t>) {
        self.user = user
        self.groups = groups
    }

    /// - Parameter descriptor: a connected socket of the family AF_UNIX.
    public init(of descriptor: CInt) throws(SystemCallError) {
        var (user, group): (UInt32, UInt32) = (0, 0)
        // If the process has more supplementary groups than this, the kernel returns none of them.
        var others = [UInt32](repeating: 0, count: 1_024)
        let count = try syscall("getsockopt SO_PEERCRED") {
            touchline_peer(descriptor, &user, &group, &others, CInt(others.count))
        }
        self.init(user: user, groups: Set(others.prefix(Int(count))).union([group]))
    }

    /// Whether it is root, or the user as which this process runs.
    public var isOwner: Bool { user == 0 || user == geteuid() }

    /// The number of a group; nil if there is none of this name.
    public static func group(named name: String) -> gid_t? {
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { text in
            guard getgrnam_r(name, &entry, text.baseAddress, text.count, &found) == 0, found != nil else { return nil }
            return entry.gr_gid
        }
    }
}
