// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Directories that are removed with all that is in them.
extension DurableFile {
    /// Removes a file, or a directory with everything in it. A symbolic link is removed and never followed. It is no error
    /// if there is nothing. When it throws, a part may be gone.
    /// - Parameter step: called before each file or directory is removed, with its path; it may refuse.
    public static func removeTree(
        _ path: String, before step: (String) throws(SystemCallError) -> Void = { _ in }
    ) throws(SystemCallError) {
        guard let isDirectory = try isDirectory(path) else { return }
        guard isDirectory else {
            try step(path)
            return try delete(path)
        }
        for name in try names(in: path).sorted() { try removeTree("\(path)/\(name)", before: step) }
        try step(path)
        _ = try syscall("rmdir \(path)") { rmdir(path) }
    }

    /// - Returns: nil if there is nothing.
    private static func isDirectory(_ path: String) throws(SystemCallError) -> Bool? {
        var status = stat()
        do {
            _ = try syscall("lstat \(path)") { lstat(path, &status) }
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
        return status.st_mode & S_IFMT == S_IFDIR
    }
}
