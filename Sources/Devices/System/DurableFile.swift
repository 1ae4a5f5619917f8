// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// Writes files so that a power cut leaves either the old or the new content: temporary file, fsync, rename, fsync of
/// the directory.
public enum DurableFile {
    /// Replaces a file. On an error its old content stays, unless only the last step failed, the fsync of the
    /// directory.
    /// - Thread: any that may wait for the disk.
    public static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o644) throws(SystemCallError) {
        try stage(bytes, for: path, mode: mode)
        try publish(path)
    }

    /// The first half of `write`: the temporary file is written and flushed. `publish` follows, or `abandon`.
    public static func stage(_ bytes: [UInt8], for path: String, mode: mode_t = 0o644) throws(SystemCallError) {
        let temporary = temporary(of: path)
        let file = try open(temporary, O_WRONLY | O_CREAT | O_TRUNC, mode)
        try writeAll(bytes, to: file, name: temporary)
        _ = try syscall("fsync \(temporary)") { fsync(file.rawValue) }
    }

    /// The second half of `write`: the temporary file takes the place of the old one.
    public static func publish(_ path: String) throws(SystemCallError) {
        let temporary = temporary(of: path)
        _ = try syscall("rename \(temporary) to \(path)") { rename(temporary, path) }
        try flushDirectory(parent(of: path))
    }

    /// Removes the temporary file if there is one.
    public static func abandon(_ path: String) { unlink(temporary(of: path)) }

    /// Removes a file. It is no error if there is none.
    public static func remove(_ path: String) { unlink(path) }

    /// Removes a directory that is empty; else it stays.
    public static func removeDirectory(_ path: String) { rmdir(path) }

    /// Removes all temporary files of a directory, left by writes that were cut off. Nobody may be writing there.
    public static func abandonAll(in directory: String) throws(SystemCallError) {
        for name in try names(in: directory) where name.hasSuffix(suffix) { unlink("\(directory)/\(name)") }
    }

    /// Ends the names of temporary files.
    public static let suffix = ".new"
    private static func temporary(of path: String) -> String { path + suffix }

    /// The names in a directory, in no order; empty if it does not exist.
    public static func names(in directory: String) throws(SystemCallError) -> [String] {
        guard let stream = opendir(directory) else {
            let code = Errno.current
            if code == .notFound { return [] }
            throw SystemCallError("opendir \(directory)", code)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { octets in
                String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Reads the whole file; nil if it does not exist.
    /// - Parameter limit: octets; a larger file throws EFBIG.
    public static func read(_ path: String, limit: Int = 1 << 20) throws(SystemCallError) -> [UInt8]? {
        let opened = touchline_open(path, O_RDONLY, 0)
        guard opened >= 0 else {
            let code = Errno.current
            if code == .notFound { return nil }
            throw SystemCallError("open \(path)", code)
        }
        let file = FileDescriptor(adopting: opened)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = try syscall("read \(path)") { Glibc.read(file.rawValue, &piece, piece.count) }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= limit else { throw SystemCallError("read \(path)", Errno(rawValue: EFBIG)) }
            bytes += piece[..<count]
        }
    }

    /// Creates the directory and its missing parents.
    public static func makeDirectory(_ path: String, mode: mode_t = 0o755) throws(SystemCallError) {
        do {
            _ = try syscall("mkdir \(path)") { mkdir(path, mode) }
        } catch {
            if error.code == .exists { return }
            guard error.code == .notFound, path != parent(of: path) else { throw error }
            try makeDirectory(parent(of: path), mode: mode)
            _ = try syscall("mkdir \(path)") { mkdir(path, mode) }
        }
    }

    public static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func open(_ path: String, _ flags: CInt, _ mode: mode_t) throws(SystemCallError) -> FileDescriptor {
        FileDescriptor(adopting: try syscall("open \(path)") { touchline_open(path, flags, mode) })
    }

    static func writeAll(
        _ bytes: [UInt8], to file: borrowing FileDescriptor, name: String
    ) throws(SystemCallError) {
        var done = 0
        while done < bytes.count {
            let descriptor = file.rawValue
            done += try syscall("write \(name)") {
                bytes.withUnsafeBytes { rest in
                    Glibc.write(descriptor, rest.baseAddress.map { $0 + done }, rest.count - done)
                }
            }
        }
    }
}
