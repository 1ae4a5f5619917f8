// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// A file that grows by whole lines and may be read meanwhile. It is not synced to the disk.
public final class AppendedFile: Sendable {
    private let descriptor: FileDescriptor
    private let path: String

    /// Creates the file, or empties it if it exists.
    /// - Parameter path: "-" means standard output.
    public init(creating path: String) throws(SystemCallError) {
        let opened =
            path == "-"
            ? try syscall("dup") { dup(STDOUT_FILENO) }
            : try syscall("open \(path)") { touchline_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o644) }
        descriptor = FileDescriptor(adopting: opened)
        self.path = path
    }

    public func append(_ octets: [UInt8]) throws(SystemCallError) {
        var rest = octets[...]
        while !rest.isEmpty {
            let count = try syscall("write \(path)") {
                rest.withUnsafeBytes { Glibc.write(descriptor.rawValue, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(count)
        }
    }
}
