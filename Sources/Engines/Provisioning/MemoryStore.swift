// SPDX-License-Identifier: Apache-2.0
import System

/// The file of the state directory that keeps a memory.
///
/// - Thread: the control loop's thread only. It does not wait for the disk.
public final class MemoryStore<Memory: KeptMemory> {
    private let file: KeptFile

    public init(directory: String, loop: EventLoop) throws(SystemCallError) {
        file = try KeptFile(Memory.fileName, in: directory, loop: loop)
    }

    public var path: String { file.path }

    /// What the file holds; an empty memory if there is none.
    /// - Throws: what is wrong with the file.
    public func read() throws -> Memory {
        guard let octets = try file.read(limit: 64 << 10) else { return Memory() }
        return try Memory(parsing: octets)
    }

    /// Writes the memory. If power fails, the file has the old memory or the new one. No other write may be running.
    /// - Parameter done: is given nil when the file is on the disk, or why it is not.
    public func write(_ memory: Memory, _ done: @escaping (String?) -> Void) { file.write(memory.octets, done) }

    /// Waits for a write that has begun. Its end is not reported.
    public func stop() { file.stop() }
}
