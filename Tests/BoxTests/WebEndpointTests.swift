// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import System
import Testing
import Venue

@testable import Box

struct WebEndpointTests {
    /// A file that nobody lists would never be loaded.
    @Test func everyFileOfThePageIsServed() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/Products/Box/Page")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(LivePage.pages.keys) == Set(files.map { $0 == "index.html" ? "/" : "/\($0)" }))
    }

    @Test func portIsToldAndOff() throws {
        let box = try RunningBox(["announcements": ["groups": []]])
        let status = try box.await("status") { $0["httpPort"]?.integer != nil }
        #expect((1...65_535).contains(status["httpPort"]?.integer ?? 0))
        #expect(box.end() == .ok)
        let closed = try RunningBox(["announcements": ["groups": []], "http": ["isEnabled": false]])
        #expect(try closed.await("status") { $0["boxId"] != nil }["httpPort"] == .null)
        #expect(closed.end() == .ok)
    }
}
