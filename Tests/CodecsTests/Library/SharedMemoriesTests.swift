// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import Testing

@testable import Codecs

@Suite struct SharedMemoriesTests {
    /// Of this test: others have descriptors in the same process.
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    /// Files do as well: what counts is the inode.
    private func withFiles(_ count: Int, _ body: ([CInt]) throws -> Void) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // the system's to clean otherwise
        let files = (0..<count).map { open(folder.appendingPathComponent("\($0)").path, O_RDWR | O_CREAT, 0o600) }
        defer { for file in files { close(file) } }
        try body(files)
    }

    @Test func aMemoryIsTheSameUnderEachDescriptor() throws {
        try withFiles(2) { files in
            let another = dup(files[0])
            defer { close(another) }
            var memories = SharedMemories()
            let first = memories.identity(of: files[0])
            let (again, other) = (memories.identity(of: another), memories.identity(of: files[1]))
            let nothing = memories.identity(of: -1)
            #expect(first != nil && again == first && other != nil && other != first && nothing == nil)
        }
    }

    @Test func itIsLetGo() throws {
        try withFiles(1) { files in
            var memories = SharedMemories()
            let before = try descriptors()
            weak var first: SharedPicture.Identity?
            first = memories.identity(of: files[0])
            let during = try descriptors()
            #expect(first != nil && during == before + 1)
            memories.forget()
            let after = try descriptors()
            #expect(first == nil && after == before)
        }
    }

    /// A maker of ever new memory.
    @Test func noMoreAreKeptThanADecoderHas() throws {
        try withFiles(200) { files in
            let before = try descriptors()
            var memories = SharedMemories()
            for file in files {
                let identity = memories.identity(of: file)
                #expect(identity != nil)
                #expect(try descriptors() <= before + 64)
            }
        }
    }

    private func descriptors() throws -> Int {
        let own = "/proc/self/fd"
        return try FileManager.default.contentsOfDirectory(atPath: own).count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(own)/\(name)")
            return target?.hasPrefix(folder.path) ?? false
        }
    }
}
