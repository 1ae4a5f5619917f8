// SPDX-License-Identifier: Apache-2.0
import Glibc
import System
import Testing

private func withDirectory(_ body: (String) throws -> Void) throws {
    let path = try "/tmp/touchline-test-" + BoxIdentity.random()
    try DurableFile.makeDirectory(path + "/deep/er")
    defer {
        // The tests remove their files themselves; what is left shows in /tmp.
        for name in ["/deep/er", "/deep", ""] { rmdir(path + name) }
    }
    try body(path)
}

@Test func writesWholeFiles() throws {
    try withDirectory { directory in
        let path = directory + "/file"
        #expect(try DurableFile.read(path) == nil)
        try DurableFile.write([1, 2, 3], to: path)
        try DurableFile.write([4, 5], to: path)
        #expect(try DurableFile.read(path) == [4, 5])
        #expect(throws: SystemCallError("read \(path)", Errno(rawValue: EFBIG))) {
            try DurableFile.read(path, limit: 1)
        }
        unlink(path)
    }
}

@Test func aFailedWriteKeepsTheOldFile() throws {
    try withDirectory { directory in
        let path = directory + "/file"
        try DurableFile.write([1], to: path)
        // The temporary cannot be made: a directory has its name.
        #expect(mkdir(path + ".new", 0o755) == 0)
        #expect(throws: SystemCallError.self) { try DurableFile.write([2], to: path) }
        #expect(try DurableFile.read(path) == [1])
        rmdir(path + ".new")
        unlink(path)
    }
}

@Test func filesGrow() throws {
    try withDirectory { directory in
        let path = directory + "/file"
        #expect(throws: SystemCallError("open \(path)", .notFound)) { try DurableFile.extend(path, by: [1]) }
        #expect(throws: SystemCallError("open \(path)", .notFound)) { try DurableFile.flush(path) }
        try DurableFile.create(path, with: [1, 2])
        try DurableFile.extend(path, by: [3])
        try DurableFile.flush(path)
        try DurableFile.flushDirectory(directory)
        #expect(try DurableFile.read(path) == [1, 2, 3])
        try DurableFile.create(path, with: [4])
        #expect(try DurableFile.read(path) == [4])
        try DurableFile.delete(path)
        try DurableFile.delete(path)
        #expect(try DurableFile.read(path) == nil)
        #expect(throws: SystemCallError.self, "it is a directory") { try DurableFile.delete(directory + "/deep") }
    }
}

/// SVM-131: made once, kept for ever, of version 4.
@Test func identityIsStable() throws {
    try withDirectory { directory in
        let first = try BoxIdentity.load(from: directory)
        #expect(first.problem == nil)
        #expect(try BoxIdentity.load(from: directory).id == first.id)
        #expect(first.id.utf8.count == 36)
        #expect(first.id.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
        #expect(first.id.split(separator: "-")[2].first == "4")
        unlink(directory + "/box-id")
    }
}

/// A box whose disk takes nothing has an identity all the same, and knows that it will have another.
@Test func identityWithoutADisk() throws {
    let identity = try BoxIdentity.load(from: "/proc/touchline")
    #expect(identity.problem != nil && identity.id.utf8.count == 36)
    #expect(try BoxIdentity.load(from: "/proc/touchline").id != identity.id)
}
