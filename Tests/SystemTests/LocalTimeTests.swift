// SPDX-License-Identifier: Apache-2.0
import Foundation
import System
import Testing
import Time

struct LocalTimeTests {
    /// GNU date is asked, in the zone that this process is in.
    @Test(arguments: [0, 1_795_000_000, 1_782_000_000, -86_400, 4_102_444_800] as [Int64])
    func agreesWithDate(seconds: Int64) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["date", "-d", "@\(seconds)", "+%Y-%m-%dT%H:%M:%S%:z"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(SystemClock.local(WallTime(nanoseconds: seconds * 1_000_000_000)) + "\n" == text)
    }
}
