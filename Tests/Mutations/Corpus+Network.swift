// SPDX-License-Identifier: Apache-2.0
import EchoMessages
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

    /// Requests to the helper that opens packet sockets.
    var captureRequests: [[UInt8]] {
        [
            #"{"address":"239.1.2.3","interface":"eth0","port":5004,"snap":262}"#,
            #"{"address":"ff3e::8000:1","interface":"vlan20","kind":"igmp","snap":65535}"#,
        ].map { Array($0.utf8) }
    }

    /// As the kernel, networkd and wpa_cli write them.
    var networkTables: [[UInt8]] {
        [
            "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
                + "eth0\t00000000\t0102000A\t0003\t0\t0\t100\t00000000\t0\t0\t0\n",
            "IP address       HW type     Flags       HW address            Mask     Device\n"
                + "10.0.2.1         0x1         0x2         52:55:0a:00:02:02     *        eth0\n",
            "Idx\tDevice    : Count Querier\tGroup    Users Timer\tReporter\n2\teth0      :     3      V2\n"
                + "\t\t\t\tFF4DFFEF     2 1:0000012C\t\t0\n",
            "2    eth0            ff3e0000000000000000000080000001     3 00000005 250\n",
            "Icmp6InGroupMembQueries         \t3\nIcmp6OutMLDv2Reports            \t4\n",
            "ADMIN_STATE=configured\nDNS=10.0.2.3 fec0::3\nNTP=ntp.venue.example\n",
        ].map { Array($0.utf8) }
    }

    /// Each kind, of both versions of IP.
    var echoes: [[UInt8]] {
        [false, true].flatMap { isIPv6 in
            EchoMessage.Kind.allCases.map { kind in
                EchoMessage(kind, isIPv6: isIPv6, identifier: 7, sequence: 3, data: Array(0..<56)).octets
            }
        }
    }

    /// What a kernel tells of radios: all in one datagram, and each message without its netlink header.
    var radioMessages: [[UInt8]] {
        let messages = RadioMessages.replies + RadioMessages.events
        return [Array(messages.map(\.octets).joined())] + messages.map(\.body)
    }
}
