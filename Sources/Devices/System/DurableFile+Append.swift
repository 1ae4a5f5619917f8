// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// A log of whole lines in two files, so that it is bounded: when the newer one is full, it takes the place of the older.
extension DurableFile {
    /// Appends lines and waits until they are on the disk. If power fails, the last line may be cut; one that is appended
    /// later begins on a line of its own all the same.
    /// - Parameters:
    ///   - lines: octets without a line feed each.
    ///   - limit: octets of the newer file beyond which it becomes `path` with `.old`.
    /// - Thread: any that may wait for the disk.
    public static func append(_ lines: [[UInt8]], to path: String, limit: Int) throws(SystemCallError) {
        var status = stat()
        if lstat(path, &status) == 0, Int(status.st_size) >= limit {
            _ = try syscall("rename \(path)") { rename(path, path + olderSuffix) }
        }
        let opened = try syscall("open \(path)") { touchline_open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600) }
        let file = FileDescriptor(adopting: opened)
        // The feed in front ends a line that was cut.
        var rest = lines.reduce(into: [UInt8(ascii: "\n")]) { $0 += $1 + [UInt8(ascii: "\n")] }[...]
        while !rest.isEmpty {
            let count = try syscall("write \(path)") {
                rest.withUnsafeBytes { Glibc.write(file.rawValue, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(count)
        }
        _ = try syscall("fsync \(path)") { fsync(file.rawValue) }
    }

    /// The lines of both files, the oldest first, empty ones left out.
    /// - Parameter limit: octets of each file; a larger one throws EFBIG.
    public static func appended(to path: String, limit: Int) throws(SystemCallError) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for path in [path + olderSuffix, path] {
            let octets = try read(path, limit: limit) ?? []
            lines += octets.split(separator: UInt8(ascii: "\n")).map(Array.init)
        }
        return lines
    }

    private static let olderSuffix = ".old"
}
