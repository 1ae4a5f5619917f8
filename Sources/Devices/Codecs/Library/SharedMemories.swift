// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import System

/// Tells which memory a descriptor refers to, whatever its number: a driver may export the same memory under a new
/// descriptor for each picture. Each dma-buf has its own inode.
struct SharedMemories {
    private struct Name: Hashable {
        let device: UInt
        let inode: UInt
    }

    private struct Memory {
        let identity: SharedPicture.Identity
        /// Keeps the dma-buf open. Otherwise the next export of the same memory might be a new dma-buf.
        let keeper: Keeper
    }

    private final class Keeper {
        private let descriptor: FileDescriptor

        init(_ descriptor: CInt) { self.descriptor = FileDescriptor(adopting: descriptor) }
    }

    /// More than the number of pictures of any decoder.
    private static let most = 64
    private var known: [Name: Memory] = [:]

    /// - Returns: nil if the descriptor is invalid or cannot be duplicated.
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

    /// Closes the dma-bufs.
    mutating func forget() { known = [:] }
}
