// SPDX-License-Identifier: Apache-2.0
import System

/// Counts, on the disk, the starts in a row that ended before they had shown anything. A directory has one owner at a
/// time: a second service that is started beside it counts nothing.
///
/// - Thread: the control loop's thread only; it waits for the disk.
public final class StartCounter {
    private let directory: String
    private let lock: FileLock?
    /// The number of failed starts before this one.
    public let failed: Int
    /// Why starts are not counted; nil if they are.
    public let problem: SystemCallError?

    static let name = "starts"

    /// Counts this start as a failed one, until `succeeded`.
    /// - Throws: EWOULDBLOCK if another service has the directory.
    public init(directory: String) throws(SystemCallError) {
        self.directory = directory
        var (lock, failed, problem): (FileLock?, Int, SystemCallError?) = (nil, 0, nil)
        do {
            try DurableFile.makeDirectory(directory)
            lock = try FileLock("\(directory)/lock")
            let path = "\(directory)/\(Self.name)"
            // What is no number is the rest of a write that failed, which counts as none.
            failed = try DurableFile.read(path).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
            try DurableFile.write(Array("\(failed + 1)".utf8), to: path, mode: 0o600)
        } catch {
            // A box whose disk cannot be written plays all the same.
            guard error.code != .wouldBlock else { throw error }
            problem = error
        }
        self.lock = lock
        self.failed = max(0, failed)
        self.problem = problem
    }

    /// The start has shown something.
    public func succeeded() { DurableFile.remove("\(directory)/\(Self.name)") }
}
