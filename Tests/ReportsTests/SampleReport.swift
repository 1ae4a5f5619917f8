// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Time

@testable import Reports

extension Report {
    static let sampleBoot = "0000000a-0123456789abcdef"

    /// A report with every member that has a description.
    static func sample(_ sequence: UInt64 = 7, box: String = "box-1", boot: String = sampleBoot) -> Report {
        Report(
            box: box, boot: boot, sequence: sequence, kind: .state, monotonicMs: 12_345,
            wall: WallTime(rfc3339: "2026-11-21T12:00:00.250Z"), coversMs: 10_000,
            members: [
                "identity": ["name": "Gate 4", "group": "north", "version": "1.0", "build": "abc"],
                "tags": ["vip"], "dimensions": ["suite 12", "", "north"],
                "service": ["state": "down", "reasons": ["noChannels"], "isInVenue": true],
                "wifi": [["interface": "wlan0", "signalDbm": -61]],
                "interfaces": [["interface": "eth0", "isUp": true]],
                "accessPoints": [["bssid": "02:00:00:00:00:01", "lost": 3]],
                "sessions": [["region": "main", "channel": "Arena"]],
                "statistics": ["reception": [["labels": ["session": "1"], "values": ["packets": [10, 2]]]]],
                "events": [["type": "tuned"]],
            ])
    }

    /// The octets of a sample after a patch.
    static func line(_ patch: JSONValue) -> [UInt8] { sample().document.merging(patch: patch).octets() }
}
