// SPDX-License-Identifier: Apache-2.0
import Synchronization
import System

/// The file of the state directory that keeps a memory.
///
/// - Thread: the control loop's thread only. It does not wait for the disk.
public final class MemoryStore<Memory: KeptMemory> {
    private let directory: String
    private let task: BackgroundTask
    private let problem = WriteProblem()

    public init(directory: String, loop: EventLoop) throws(SystemCallError) {
        self.directory = directory
        task = try BackgroundTask(loop: loop)
    }

    public var path: String { directory + "/" + Memory.fileName }

    /// What the file holds; an empty memory if there is none.
    /// - Throws: what is wrong with the file.
    public func read() throws -> Memory {
        guard let octets = try DurableFile.read(path, limit: 64 << 10) else { return Memory() }
        return try Memory(parsing: octets)
    }

    /// Writes the memory. If power fails, the file has the old memory or the new one. No other write may be running.
    /// - Parameter done: is given nil when the file is on the disk, or why it is not.
    public func write(_ memory: Memory, _ done: @escaping (String?) -> Void) {
        let (directory, path, octets, problem) = (directory, path, memory.octets, problem)
        do {
            try task.run(
                "memory",
                {
                    problem.text.withLock { text in
                        do throws(SystemCallError) {
                            try DurableFile.makeDirectory(directory)
                            try DurableFile.write(octets, to: path, mode: 0o600)
                            text = nil
                        } catch {
                            text = "\(error)"
                        }
                    }
                }, then: { done(problem.text.withLock { $0 }) })
        } catch {
            done("\(error)")
        }
    }

    /// Waits for a write that has begun. Its end is not reported.
    public func stop() { task.stop() }
}

/// Takes what went wrong from the writing thread to the loop's.
private final class WriteProblem: Sendable {
    let text = Mutex<String?>(nil)
}
