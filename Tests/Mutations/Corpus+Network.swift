// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport

extension Corpus {
    /// Requests to the helper: that for the status, and one for each section `uplink` of the examples.
    var networkRequests: [[UInt8]] {
        get throws {
            let plans = try files("config/examples", "json").compactMap { try JSONValue.parse($0)["uplink"] }
            return [Array(#"{"verb":"status"}"#.utf8)]
                + plans.map { (["verb": "apply", "plan": $0] as JSONValue).octets() }
        }
    }

    /// As the kernel, networkd and wpa_cli write them.
    var networkTables: [[UInt8]] {
        [
            "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
                + "eth0\t00000000\t0102000A\t0003\t0\t0\t100\t00000000\t0\t0\t0\n",
            "IP address       HW type     Flags       HW address            Mask     Device\n"
                + "10.0.2.1         0x1         0x2         52:55:0a:00:02:02     *        eth0\n",
            "ADMIN_STATE=configured\nDNS=10.0.2.3 fec0::3\nNTP=ntp.venue.example\n",
        ].map { Array($0.utf8) }
    }

    /// What a kernel tells of radios: all in one datagram, and each message without its netlink header.
    var radioMessages: [[UInt8]] {
        let messages = RadioMessages.replies + RadioMessages.events
        return [Array(messages.map(\.octets).joined())] + messages.map(\.body)
    }
}
