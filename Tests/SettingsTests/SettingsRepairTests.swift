// SPDX-License-Identifier: Apache-2.0
import JSON
import Testing
import Time
import Venue

@testable import Settings

struct SettingsRepairTests {
    private static func settings(_ members: JSONValue) throws -> Settings {
        let channel: JSONValue = ["name": "One", "address": "239.10.0.1", "port": 5_004]
        return try Settings(document: ["channels": [channel.merging(patch: members)]])
    }

    /// ffmpeg's prompeg, which nothing announces.
    @Test func parityIsBesideTheMedia() throws {
        let transport = try Self.settings(["repair": ["scheme": "parity"]]).channels[0].channel.transport
        #expect(
            transport.repair == .parity(RepairParity(beside: "239.10.0.1", port: 5_004, span: .milliseconds(1_000))))
    }

    @Test func allMembersAreRead() throws {
        let channel = try Self.settings([
            "source": "10.0.0.1", "furtherSources": ["10.0.0.2"], "contentType": "text/plain",
            "repair": [
                "scheme": "windows", "address": "239.10.0.2", "port": 6, "sourcePackets": 50, "repairPackets": 10,
                "depth": 4, "symbolOctets": 1_331, "generator": "rfc5510", "spanMs": 700,
            ],
            "secondPath": ["interface": "eth1", "source": "10.1.0.1", "skewMs": 10],
        ]).channels[0].channel
        let windows = RepairWindows(
            endpoint: FlowEndpoint(address: "239.10.0.2", port: 6), sourcePackets: 50, repairPackets: 10, depth: 4,
            symbolOctets: 1_331, generator: .rfc5510, span: .milliseconds(700))
        #expect(channel.transport.repair == .windows(windows) && channel.contentType == "text/plain")
        #expect(channel.transport.furtherSources == ["10.0.0.2"])
        let endpoint = FlowEndpoint(address: "239.10.0.1", port: 5_004, source: "10.1.0.1", interface: "eth1")
        #expect(channel.transport.secondPath == SecondPath(endpoint: endpoint, skew: .milliseconds(10)))
    }

    @Test(
        arguments: [
            ["encapsulation": "raw", "repair": ["scheme": "parity"]], ["encapsulation": "raw", "secondPath": [:]],
            ["repair": ["scheme": "windows"]],
            ["repair": ["scheme": "windows", "port": 6, "sourcePackets": 200, "repairPackets": 50, "depth": 64]],
            ["repair": ["scheme": "windows", "port": 6, "sourcePackets": 200, "repairPackets": 56]],
            ["repair": ["scheme": "parity", "rows": ["source": "fd00::1"]]], ["furtherSources": ["239.0.0.1"]],
        ] as [JSONValue]) func whatCannotBeIsRefused(members: JSONValue)
    {
        #expect(throws: SettingsError.self) { try Self.settings(members) }
    }
}
