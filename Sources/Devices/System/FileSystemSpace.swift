// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What a file system has room for.
public struct FileSystemSpace: Hashable, Sendable {
    /// Octets of the whole file system.
    public let size: Int64
    /// Octets that a program without privileges may still write.
    public let available: Int64
    /// Whether not even an empty file can be made: the file system has no inode left.
    public let lacksInodes: Bool
    public let isReadOnly: Bool

    /// - Parameter path: any file or directory of the file system.
    /// - Thread: any that may wait for the disk.
    public init(of path: String) throws(SystemCallError) {
        var found = statvfs()
        _ = try syscall("statvfs \(path)") { statvfs(path, &found) }
        available = Self.octets(Int64(clamping: found.f_bavail), of: Int64(clamping: found.f_frsize))
        size = Self.octets(Int64(clamping: found.f_blocks), of: Int64(clamping: found.f_frsize))
        // A file system without a limit on inodes says 0 of 0.
        lacksInodes = found.f_files > 0 && found.f_favail == 0
        isReadOnly = found.f_flag & 1 != 0  // ST_RDONLY
    }

    private static func octets(_ blocks: Int64, of size: Int64) -> Int64 {
        let (octets, isTooMany) = blocks.multipliedReportingOverflow(by: size)
        return isTooMany ? .max : octets
    }
}
