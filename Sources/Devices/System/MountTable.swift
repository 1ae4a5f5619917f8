// SPDX-License-Identifier: Apache-2.0

/// The file systems that a process sees, as `/proc/self/mountinfo` lists them (proc_pid_mountinfo(5)).
public struct MountTable: Sendable {
    private struct Mount {
        let point: String
        /// Whether the file system itself is read-only. A mount of it may be read-only although it is not.
        let isReadOnly: Bool
    }

    private let mounts: [Mount]

    /// - Parameter text: a line of another form is passed over.
    public init(_ text: String) {
        mounts = text.split(separator: "\n").compactMap { line in
            // 36 35 98:0 / /mnt rw,noatime master:1 - ext3 /dev/root rw,errors=continue
            let fields = line.split(separator: " ", omittingEmptySubsequences: false)
            guard let end = fields.firstIndex(of: "-"), end >= 6, fields.count > end + 3 else { return nil }
            let isReadOnly = fields[end + 3].split(separator: ",").contains("ro")
            return Mount(point: Self.unescaped(fields[4]), isReadOnly: isReadOnly)
        }
    }

    /// What this process sees.
    /// - Throws: if `/proc` is not there.
    /// - Thread: any.
    public static func own() throws(SystemCallError) -> MountTable {
        let path = "/proc/self/mountinfo"
        guard let octets = try DurableFile.read(path) else {
            throw SystemCallError("read \(path)", .notFound)
        }
        return MountTable(String(decoding: octets, as: UTF8.self))
    }

    /// Whether nobody can write to the file system of a path. `statvfs` tells instead what this process may write, which
    /// is less where its unit has `ProtectSystem=`.
    /// - Parameter path: absolute, without `..` and symbolic links.
    /// - Returns: nil if no mount has the path.
    public func isReadOnly(_ path: String) -> Bool? {
        // A mount hides an earlier one at the same point.
        mounts.enumerated().filter { Self.contains($0.element.point, path) }
            .max { ($0.element.point.utf8.count, $0.offset) < ($1.element.point.utf8.count, $1.offset) }?
            .element.isReadOnly
    }

    private static func contains(_ point: String, _ path: String) -> Bool {
        point == "/" || path == point || path.hasPrefix(point + "/")
    }

    /// The kernel writes space, tabulator, newline and backslash as three octal digits after a backslash.
    private static func unescaped(_ field: Substring) -> String {
        var (octets, rest) = ([UInt8](), Array(field.utf8)[...])
        while let first = rest.popFirst() {
            let digits = rest.prefix(3)
            if first == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy((UInt8(ascii: "0")...).contains),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                octets.append(value)
                rest = rest.dropFirst(3)
            } else {
                octets.append(first)
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }
}
