// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A lock that one process holds until it ends (flock), on a file that stays.
public final class FileLock: Sendable {
    private let file: FileDescriptor

    /// - Throws: EWOULDBLOCK if another process holds the lock.
    public init(_ path: String) throws(SystemCallError) {
        let opened = try syscall("open \(path)") { open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        let file = FileDescriptor(adopting: opened)
        _ = try syscall("flock \(path)") { flock(opened, LOCK_EX | LOCK_NB) }
        self.file = file
    }
}
