// SPDX-License-Identifier: Apache-2.0
import Foundation
import System
import Testing

@Suite final class KeptFileTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "touchline-kept-\(UUID())").path
    private let loop: EventLoop

    init() throws { loop = try EventLoop() }
    deinit { try? FileManager.default.removeItem(atPath: directory) }  // a leftover in /tmp hurts nobody

    private func write(_ octets: [UInt8], to file: KeptFile) throws -> String? {
        var problem: String?
        file.write(octets) { [loop] in
            problem = $0
            loop.stop()
        }
        #expect(file.isBusy)
        try loop.run()
        #expect(!file.isBusy)
        return problem
    }

    @Test func eachWriteReplacesTheWholeFile() throws {
        let file = try KeptFile("a", in: directory + "/b", loop: loop)
        #expect(try file.read(limit: 8) == nil)
        for octets: [UInt8] in [[1, 2, 3, 4], [5], []] {
            #expect(try write(octets, to: file) == nil)
            #expect(try file.read(limit: 8) == octets)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory + "/b") == ["a"])
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    /// A problem is told each time that there is one, and not after it is gone.
    @Test func aProblemIsToldWhileItLasts() throws {
        try DurableFile.write([], to: directory)
        let file = try KeptFile("a", in: directory, loop: loop)
        for _ in 0..<2 { #expect(try write([1], to: file)?.contains(directory) == true) }
        DurableFile.remove(directory)
        #expect(try write([1], to: file) == nil)
        #expect(try file.read(limit: 8) == [1])
    }

    /// The write is on the disk when `stop` returns.
    @Test func stopWaitsForTheWrite() throws {
        let file = try KeptFile("a", in: directory, loop: loop)
        file.write([1, 2]) { _ in Issue.record("the end is reported") }
        file.stop()
        #expect(!file.isBusy)
        #expect(try file.read(limit: 8) == [1, 2])
    }
}
