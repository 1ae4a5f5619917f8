// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import System

/// Which memory a descriptor stands for, whatever its number: a driver may export the same memory under another one for
/// each picture. Each dma-buf has an inode of its own.
struct SharedMemories {
    private struct Name: Hashable {
        let device: UInt
        let inode: UInt
    }

    private struct Memory {
        let identity: SharedPicture.Identity
        /// Keeps the dma-buf: without it the next export might be another one of the same memory.
        let keeper: Keeper
    }

    private final class Keeper {
        private let descriptor: FileDescriptor

        init(_ descriptor: CInt) { self.descriptor = FileDescriptor(adopting: descriptor) }
    }

    /// More than any decoder has pictures.
    private static let most = 64
    private var known: [Name: Memory] = [:]

    /// - Returns: nil: there is no such descriptor, or no other can be had.
    mutating func identity(of descriptor: CInt) -> SharedPicture.Identity? {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        let name = Name(device: UInt(facts.st_dev), inode: UInt(facts.st_ino))
        if let memory = known[name] { return memory.identity }
        let another = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard another >= 0 else { return nil }
        if known.count >= Self.most { forget() }
        let memory = Memory(identity: SharedPicture.Identity(), keeper: Keeper(another))
        known[name] = memory
        return memory.identity
    }

    /// Their maker lets them go.
    mutating func forget() { known = [:] }
}
