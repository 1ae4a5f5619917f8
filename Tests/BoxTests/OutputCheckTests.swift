// SPDX-License-Identifier: Apache-2.0
import JSON
import Settings
import Testing

@testable import Box

/// What is known about an output before the one in use is closed.
@Suite struct OutputCheckTests {
    private func problem(_ output: JSONValue, connectors: [String] = ["DP-1", "HDMI-A-1"]) throws -> String? {
        let check = OutputCheck(connectors: { connectors }, availableMemory: { 100 << 20 })
        return check.problem(of: try Settings(document: ["output": output]).output)
    }

    @Test func whatCannotBeOpenedIsRefused() throws {
        #expect(
            try problem(["kind": "kms", "connector": "HDMI-A-2"])
                == "connector 'HDMI-A-2' is not there: expected one of DP-1, HDMI-A-1")
        #expect(
            try problem(["kind": "kms"], connectors: [])
                == "kind is kms and there is no graphics card: expected one")
        #expect(
            try problem(["width": 7_680, "height": 4_320])
                == "a stage of 7680x4320 needs 759 MiB: expected at most the 100 MiB that are available")
    }

    /// Whether a screen is connected is another matter: it is awaited.
    @Test func whatMayBeOpenedIsNotRefused() throws {
        #expect(try problem(["kind": "kms", "connector": "HDMI-A-1"]) == nil)
        #expect(try problem(["kind": "kms"]) == nil)
        #expect(try problem(["connector": "HDMI-A-2"], connectors: []) == nil)
        #expect(OutputCheck(connectors: { [] }, availableMemory: { nil }).problem(of: Settings.default.output) == nil)
    }
}
