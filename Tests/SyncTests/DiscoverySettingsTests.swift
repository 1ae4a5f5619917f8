// SPDX-License-Identifier: Apache-2.0
import JSON
import Testing

@testable import Sync

@Suite struct DiscoverySettingsTests {
    @Test(
        arguments: [
            (["searches": true], "/sync/discovery/interface"),
            (["isAnnounced": true, "interface": "lo"], "/sync/discovery/isAnnounced"),
            (["searches": "yes"], "/sync/discovery/searches"),
            (["port": 65_536], "/sync/discovery/port"),
        ] as [(JSONValue, String)])
    func refusals(discovery: JSONValue, path: String) throws {
        let refusal = try SyncBench().change(["discovery": discovery])
        #expect(refusal?.contains(path) == true, "\(refusal ?? "taken")")
    }

    /// Discovery goes by IPv4.
    @Test func theAddressThatIsToldIsIPv4() throws {
        let serve: JSONValue = ["isEnabled": true, "addresses": ["::1", "127.0.0.1"], "port": 0, "wallClockPort": 0]
        let discovery: JSONValue = ["isAnnounced": true, "interface": "lo"]
        let refusal = try SyncBench().change(["serve": serve, "discovery": discovery])
        #expect(refusal?.contains("/sync/discovery/isAnnounced") == true, "\(refusal ?? "taken")")
    }

    @Test func nothingIsDoneUnlessItIsTold() throws {
        let bench = try SyncBench()
        bench.host.start()
        #expect(
            try bench.answer("sync-find")
                == "no televisions are searched for: the setting sync.discovery.searches is false")
        #expect(bench.statistics.snapshot().group("televisionSearch") == nil)
        #expect(bench.statistics.snapshot().group("announcement") == nil)
    }
}
