// SPDX-License-Identifier: Apache-2.0
import Glibc
import Time

/// A process of this machine, as /proc/PID/stat tells of it (proc_pid_stat(5)).
public struct RunningProcess: Equatable, Sendable {
    public let number: Int32
    public let name: String
    /// R, S, D, Z, T and others.
    public let state: Character
    /// What it has used of the processor, in its own code and in the kernel.
    public let processorTime: Nanoseconds
    public let residentOctets: Int64

    /// - Parameters:
    ///   - stat: content of the file.
    ///   - ticks: of the processor's clock in a second.
    /// - Returns: nil if the content is none of such a file.
    init?(stat: String, ticks: Int64, page: Int64) {
        // The name is in parentheses and may have some, and blanks.
        guard let open = stat.firstIndex(of: "("), let close = stat.lastIndex(of: ")"), open < close,
            let number = Int32(stat[..<open].trimmed), number > 0
        else { return nil }
        let fields = stat[stat.index(after: close)...].split(separator: " ", omittingEmptySubsequences: true)
        guard fields.count > 21, let state = fields[0].first, fields[0].count == 1, let user = Int64(fields[11]),
            let system = Int64(fields[12]), let pages = Int64(fields[21].trimmed), ticks > 0
        else { return nil }
        let (time, isTooLong) = user.addingReportingOverflow(system)
        guard !isTooLong, time >= 0, time / ticks < 1 << 32, (0..<1 << 40).contains(pages) else { return nil }
        self.number = number
        name = String(stat[stat.index(after: open)..<close])
        self.state = state
        processorTime = .seconds(time / ticks) + .milliseconds(time % ticks * 1_000 / ticks)
        residentOctets = pages * page
    }

    /// All that this process may see, in no order.
    /// - Thread: any that may wait.
    public static func all() throws(SystemCallError) -> [RunningProcess] {
        let (ticks, page) = (Int64(sysconf(Int32(_SC_CLK_TCK))), Int64(sysconf(Int32(_SC_PAGESIZE))))
        return try DurableFile.names(in: "/proc").filter { $0.allSatisfy(\.isNumber) }.compactMap { number in
            // One that has ended meanwhile is none.
            guard let octets = try? DurableFile.read("/proc/\(number)/stat", limit: 4_096) else { return nil }
            return RunningProcess(stat: String(decoding: octets, as: UTF8.self), ticks: ticks, page: page)
        }
    }
}

extension Substring {
    fileprivate var trimmed: Substring { drop { $0 == " " }.prefix { $0 != " " && $0 != "\n" } }
}
