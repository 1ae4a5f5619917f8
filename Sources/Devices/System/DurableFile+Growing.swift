// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Files that grow, and whose owner says when their content has to be on the disk.
extension DurableFile {
    /// Creates a file, or empties the one that is there, and writes to it. Neither the content nor the name is flushed.
    public static func create(_ path: String, with octets: [UInt8], mode: mode_t = 0o600) throws(SystemCallError) {
        let file = try open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
        try writeAll(octets, to: file, name: path)
    }

    /// Appends to a file that exists, without flushing it. If this throws, a part may have been written.
    public static func extend(_ path: String, by octets: [UInt8]) throws(SystemCallError) {
        let file = try open(path, O_WRONLY | O_APPEND, 0)
        try writeAll(octets, to: file, name: path)
    }

    /// Waits until the content of a file is on the disk. After an error nobody knows what the disk has of the content that
    /// was written since the last flush, even if a later flush succeeds.
    public static func flush(_ path: String) throws(SystemCallError) {
        let file = try open(path, O_WRONLY, 0)
        _ = try syscall("fsync \(path)") { fsync(file.rawValue) }
    }

    /// Waits until the names in a directory are on the disk.
    public static func flushDirectory(_ path: String) throws(SystemCallError) {
        let directory = try open(path, O_RDONLY | O_DIRECTORY, 0)
        _ = try syscall("fsync \(path)") { fsync(directory.rawValue) }
    }

    /// Removes a file and tells whether that failed. It is no error if there is none.
    public static func delete(_ path: String) throws(SystemCallError) {
        do {
            _ = try syscall("unlink \(path)") { unlink(path) }
        } catch {
            guard error.code == .notFound else { throw error }
        }
    }

    /// Octets of a file; nil if there is none.
    public static func octets(of path: String) throws(SystemCallError) -> Int? {
        var status = stat()
        do throws(SystemCallError) {
            _ = try syscall("stat \(path)") { stat(path, &status) }
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
        return Int(status.st_size)
    }
}
