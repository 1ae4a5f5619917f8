// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// A file whose octets are memory of this process (`MAP_SHARED`). What is written to it stays in the file when the
/// process is killed; in a directory of a tmpfs nothing is written to a disk.
///
/// Sendable: this is raw memory, and its owner decides which thread may access which octets.
public final class SharedMemoryFile: @unchecked Sendable {
    public let path: String
    public let memory: UnsafeMutableRawBufferPointer

    /// Creates the file, or takes the place of the one that is there. All octets are zero. Only its owner may read it.
    /// - Parameter octets: at least 1. They are reserved at once, so that a full file system is told here and not by a
    ///   signal at the first write.
    public init(creating path: String, octets: Int) throws(SystemCallError) {
        precondition(octets > 0)
        unlink(path)
        let file = try DurableFile.open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
        let descriptor = file.rawValue
        let code = posix_fallocate(descriptor, 0, off_t(octets))
        guard code == 0 else {
            unlink(path)
            throw SystemCallError("posix_fallocate \(path)", Errno(rawValue: code))
        }
        guard let start = mmap(nil, octets, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), start != MAP_FAILED
        else {
            let code = Errno.current
            unlink(path)
            throw SystemCallError("mmap \(path)", code)
        }
        self.path = path
        memory = UnsafeMutableRawBufferPointer(start: start, count: octets)
    }

    deinit { munmap(memory.baseAddress, memory.count) }

    /// Removes the name; the memory stays until the last reference goes.
    public func remove() { unlink(path) }
}
