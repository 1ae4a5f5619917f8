// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A system call that changes a file, as strace sees it.
struct FileChange {
    /// `fsync`.
    let call: String
    /// Of the file; the old one of a rename.
    let path: String
    /// From 1, among those of this name on this path by the same thread, which is how strace counts them.
    let occurrence: Int

    private static let calls =
        "mkdir,mkdirat,openat,creat,write,pwrite64,ftruncate,fsync,fdatasync,rename,renameat,renameat2,link,linkat,"
        + "unlink,unlinkat,rmdir"

    /// In front of a command: its process is the one that is started, and strace is another.
    private static let strace = ["strace", "-D", "-f", "-q"]

    /// In front of a command: the trace of its changes goes to a file.
    static func recording(to file: String) -> [String] {
        strace + ["--seccomp-bpf", "-y", "-o", file, "-e", "trace=" + calls]
    }

    /// In front of a command: kills its process when it makes this call, before the kernel acts on it. Not with
    /// `--seccomp-bpf`, under which strace 6.1 loses the signal.
    func killing(trace file: String) -> [String] {
        Self.strace + [
            "-o", file, "-P", path, "-e", "trace=" + call, "-e",
            "inject=\(call):signal=SIGKILL:when=\(occurrence)",
        ]
    }

    /// The changes below a directory and of it, in their order.
    /// - Parameter trace: lines such as `71 fsync(6</state/box-id.new>) = 0`.
    static func changes(in trace: String, below directory: String) -> [FileChange] {
        var counts: [String: Int] = [:]
        return trace.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")  // a short number is followed by several
            guard words.count >= 2, let bracket = words[1].firstIndex(of: "("), !line.contains(" = -1 "),
                let start = line.range(of: directory)
            else { return nil }
            let path = line[start.lowerBound...].prefix { $0 != "\"" && $0 != ">" }
            let call = String(words[1][..<bracket])
            guard path == directory || path.hasPrefix(directory + "/") else { return nil }
            let count = counts["\(words[0]) \(call) \(path)", default: 0] + 1
            counts["\(words[0]) \(call) \(path)"] = count
            // What opens a file for reading changes nothing, and is counted by strace.
            guard call != "openat" || line.contains("O_CREAT") || line.contains("O_TRUNC") else { return nil }
            return FileChange(call: call, path: String(path), occurrence: count)
        }
    }
}
