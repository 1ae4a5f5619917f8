// SPDX-License-Identifier: Apache-2.0
import Synchronization
import System

/// The files of the audit in the state directory, one log for each kind of entry, so that none pushes out another.
///
/// - Thread: the control loop's thread only. It does not wait for the disk.
public final class AuditStore {
    /// Octets of the newer file of a kind.
    static let fileLimit = 128 << 10
    /// Entries that wait while the disk takes others.
    static let waitingLimit = 512

    private let directory: String
    private let task: BackgroundTask
    private let outcome = Outcome()
    private var waiting: [AuditEntry] = []
    private var isBusy = false
    /// Entries that were not written, because the disk was slow or refused them.
    public private(set) var lost = 0
    /// Called with why entries were not written, each time.
    public var onProblem: (String) -> Void = { _ in }

    private final class Outcome: Sendable {
        let problem = Mutex<String?>(nil)
    }

    public init(directory: String, loop: EventLoop) throws(SystemCallError) {
        self.directory = directory + "/audit"
        task = try BackgroundTask(loop: loop)
    }

    public func path(of kind: AuditEntry.Kind) -> String { "\(directory)/\(kind.rawValue).log" }

    /// The trail that the files have. What cannot be read is left out.
    /// - Returns: with it, why a file could not be read; nil if all were.
    public func read() -> (trail: AuditTrail, problem: String?) {
        var (lines, problem): ([[UInt8]], String?) = ([], nil)
        for kind in AuditEntry.Kind.allCases {
            do {
                lines += try DurableFile.appended(to: path(of: kind), limit: 4 * Self.fileLimit)
            } catch {
                problem = "\(error)"
            }
        }
        return (AuditTrail(reading: lines), problem)
    }

    public func append(_ entry: AuditEntry) {
        guard waiting.count < Self.waitingLimit else {
            lost += 1
            return
        }
        waiting.append(entry)
        writeNext()
    }

    private func writeNext() {
        guard !isBusy, !waiting.isEmpty else { return }
        let batch = waiting
        waiting = []
        let (lines, directory, outcome) = (self.lines(of: batch), directory, outcome)
        isBusy = true
        do {
            try task.run("audit", { outcome.problem.withLock { $0 = Self.write(lines, in: directory) } }) {
                [weak self] in self?.written(batch.count)
            }
        } catch {
            isBusy = false
            lost += batch.count
            onProblem("\(error)")
        }
    }

    private func written(_ count: Int) {
        isBusy = false
        if let problem = outcome.problem.withLock({ $0 }) {
            lost += count
            onProblem(problem)
        }
        writeNext()
    }

    private func lines(of entries: [AuditEntry]) -> [(path: String, lines: [[UInt8]])] {
        Dictionary(grouping: entries, by: \.kind).map { (path(of: $0.key), $0.value.map(\.line)) }
    }

    private static func write(_ lines: [(path: String, lines: [[UInt8]])], in directory: String) -> String? {
        do throws(SystemCallError) {
            try DurableFile.makeDirectory(directory, mode: 0o700)
            for (path, lines) in lines { try DurableFile.append(lines, to: path, limit: fileLimit) }
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Waits for the running write, then writes what waits.
    public func stop() {
        task.stop()
        isBusy = false
        guard !waiting.isEmpty else { return }
        let rest = lines(of: waiting)
        lost += Self.write(rest, in: directory) == nil ? 0 : waiting.count
        waiting = []
    }
}
