// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A small file that is read when a program starts, and is replaced as a whole later, on a thread of its own.
///
/// - Thread: the loop's thread only. `read` waits for the disk, `write` does not.
public final class KeptFile {
    public let path: String
    private let directory: String
    private let mode: UInt32
    private let task: BackgroundTask
    private let problem = Problem()
    /// Whether a write has begun and its end is not reported yet.
    public private(set) var isBusy = false

    /// Takes what went wrong from the writing thread to the loop's.
    private final class Problem: Sendable {
        let text = Mutex<String?>(nil)
    }

    /// - Parameters:
    ///   - directory: need not exist before the first write.
    ///   - mode: of the file; as it is, only its owner may read it.
    public init(
        _ name: String, in directory: String, mode: UInt32 = 0o600, loop: EventLoop
    ) throws(SystemCallError) {
        self.mode = mode
        path = directory + "/" + name
        self.directory = directory
        task = try BackgroundTask(loop: loop)
    }

    /// - Parameter limit: octets; a larger file throws EFBIG.
    /// - Returns: nil if there is no file.
    public func read(limit: Int) throws(SystemCallError) -> [UInt8]? { try DurableFile.read(path, limit: limit) }

    /// Replaces the file. If power fails, it has the old content or the new one. No other write may be running.
    /// - Parameter done: is given nil when the file is on the disk, or why it is not; not called after `stop`.
    public func write(_ octets: [UInt8], _ done: @escaping (String?) -> Void) {
        precondition(!isBusy, "one write at a time")
        let (directory, path, mode, problem) = (directory, path, mode, problem)
        isBusy = true
        do {
            try task.run(
                "kept file",
                {
                    problem.text.withLock { text in
                        do throws(SystemCallError) {
                            try DurableFile.makeDirectory(directory)
                            try DurableFile.write(octets, to: path, mode: mode)
                            text = nil
                        } catch {
                            text = "\(error)"
                        }
                    }
                },
                then: { [weak self] in
                    self?.isBusy = false
                    done(problem.text.withLock { $0 })
                })
        } catch {
            isBusy = false
            done("\(error)")
        }
    }

    /// Waits for a write that has begun. Its end is not reported.
    public func stop() {
        task.stop()
        isBusy = false
    }
}
