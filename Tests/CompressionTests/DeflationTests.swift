// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Compression

@Suite struct DeflationTests {
    /// gzip, which knows nothing of us, takes it apart.
    @Test(arguments: [0, 1, 1_000, 300_000]) func gzipTakesItApart(count: Int) throws {
        var random = SplitMix64(seed: 3)
        let octets = (0..<count).map { _ in UInt8.random(in: 0...7, using: &random) }
        let compressed = try #require(Deflation.gzip(octets))
        #expect(count < 1_000 || compressed.count < count)
        let path = FileManager.default.temporaryDirectory.appending(path: "touchline-\(UUID()).gz")
        defer { try? FileManager.default.removeItem(at: path) }  // a leftover in /tmp hurts nobody
        try Data(compressed).write(to: path)
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", path.path]
        process.standardOutput = output
        try process.run()
        let read = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && Array(read) == octets)
    }
}
