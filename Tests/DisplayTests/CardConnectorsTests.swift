// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Display

@Suite struct CardConnectorsTests {
    @Test func namesAreThoseOfTheKernel() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("connectors-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        for name in ["card0", "card1-HDMI-A-1", "card0-DP-1", "renderD128", "version", "cardx-DP-9", "card-DP-8"] {
            try FileManager.default.createDirectory(
                at: directory.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        #expect(CardConnectors.names(in: directory.path) == ["DP-1", "HDMI-A-1"])
        #expect(CardConnectors.names(in: "/nowhere").isEmpty)
    }
}
