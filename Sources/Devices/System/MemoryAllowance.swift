// SPDX-License-Identifier: Apache-2.0

/// The memory that this process may use: what its control groups (cgroup v2) allow, else what the machine has.
public enum MemoryAllowance {
    /// Octets; nil if the kernel does not say.
    public static func octets() -> Int? {
        octets(ofMachine: "/proc/meminfo", group: "/proc/self/cgroup", groups: "/sys/fs/cgroup")
    }

    /// - Parameters:
    ///   - group: file with a line such as `0::/system.slice/touchline.service`.
    ///   - groups: directory of the control groups.
    static func octets(ofMachine machine: String, group: String, groups: String) -> Int? {
        let total = text(of: machine).flatMap { AvailableMemory.octets("MemTotal", in: $0) }
        let limits = directories(ofGroup: text(of: group) ?? "", in: groups).flatMap { directory in
            ["memory.high", "memory.max"].map { limit(in: directory + "/" + $0) }
        }
        return (limits + [total]).compactMap { $0 }.min()
    }

    /// The directories of the group and of those that it is in. In a container the topmost has limits too.
    private static func directories(ofGroup text: String, in groups: String) -> [String] {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return [] }
        return line.dropFirst(4).split(separator: "/").reduce(into: [groups]) { directories, name in
            directories.append(directories[directories.count - 1] + "/" + name)
        }
    }

    /// nil if there is none, which the word `max` says as well.
    private static func limit(in path: String) -> Int? {
        text(of: path).flatMap { Int($0.prefix { !$0.isNewline }) }
    }

    /// nil if the file cannot be read, which says nothing.
    private static func text(of path: String) -> String? {
        ((try? DurableFile.read(path)) ?? nil).map { String(decoding: $0, as: UTF8.self) }
    }
}
