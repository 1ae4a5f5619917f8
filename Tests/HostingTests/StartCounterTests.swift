// SPDX-License-Identifier: Apache-2.0
import Foundation
import System
import TestSupport
import Testing

@testable import Hosting

/// Starts that showed nothing are counted on the disk.
@Suite final class StartCounterTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("starts-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: folder) }  // what is left is in a folder of temporary files

    private func start() throws -> StartCounter { try StartCounter(directory: folder.path) }

    @Test func failedStartsAreCountedUntilOneSucceeds() throws {
        for count in 0..<3 { #expect(try start().failed == count) }
        let good = try start()
        #expect(good.failed == 3)
        good.succeeded()
        withExtendedLifetime(good) {}
    }

    @Test func aStartThatSucceededCountsNoMore() throws {
        try start().succeeded()
        #expect(try start().failed == 0)
    }

    /// A second service in the same directory is told, and counts nothing.
    @Test func oneServiceHasTheDirectory() throws {
        let first = try start()
        let refusal = thrown(SystemCallError.self) { _ = try start() }
        #expect(refusal?.code == .wouldBlock)
        first.succeeded()
        withExtendedLifetime(first) {}
    }

    @Test(arguments: ["", "x", "-4"]) func aDamagedCountIsNone(text: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try text.write(to: folder.appendingPathComponent("starts"), atomically: true, encoding: .utf8)
        #expect(try start().failed == 0)
    }

    @Test func aDiskThatCannotBeWrittenStopsNoStart() throws {
        try "".write(to: folder, atomically: true, encoding: .utf8)  // a file where the directory should be
        let counter = try start()
        #expect(counter.failed == 0 && counter.problem != nil)
    }
}
