// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing
import Time

@testable import Box

extension BoxTests {
    /// SVM-25 on a whole box: what its kernel says of the groups that it joins and leaves, and of a query.
    @Suite(.serialized, .enabled(if: OwnNetwork.canBeMade && Groups.canBeJoined)) struct GroupTraceTests {
        private static func settings(_ group: String) -> JSONValue {
            ["announcements": ["groups": [["address": .string(group), "port": 21_251]]]]
        }

        /// A general query of MLDv2 by the box's neighbour (RFC 3810, 5.1), with its router alert.
        private static let query = """
            import socket
            s = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6)
            s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 1)
            s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, socket.if_nametoindex("venue0"))
            s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_HOPOPTS, bytes([0, 0, 5, 2, 0, 0, 1, 0]))
            s.sendto(bytes([130, 0, 0, 0, 3, 232, 0, 0] + [0] * 16 + [2, 125, 0, 0]), ("ff02::1", 0))
            """

        private static func changes(_ box: RunningBox) throws -> [JSONValue] {
            try box.http("GET", "/v1/igmp-trace").body["changes"]?.array ?? []
        }

        private static func has(_ what: JSONValue, _ group: JSONValue?, _ changes: [JSONValue]) -> Bool {
            changes.contains { $0["what"] == what && $0["group"] == group && $0["interface"] == "box0" }
        }

        @Test func theKernelsGroupsAreShownAndTraced() throws {
            try OwnNetwork.run {
                try #require(OwnNetwork.connect())
                let box = try RunningBox(
                    Self.settings("239.255.77.61").merging(patch: [
                        "network": ["interface": "box0"], "log": ["level": "error"],
                    ]))
                _ = try box.await("status") { $0["boxId"] != nil }
                let table = try box.http("GET", "/v1/igmp").body
                let row = table["groups"]?.array?.first { $0["group"] == "239.255.77.61" }
                #expect(row?["interface"] == "box0" && row?["users"] == 1 && row?["querier"] == "V3", "\(table.text())")
                #expect(table["groups"]?.array?.contains { $0["group"] == "ff02::1" } == true)

                _ = try box.merge(["network": ["debug": ["igmpTrace": true]]])
                _ = try box.await("status") { _ in
                    (try? box.http("GET", "/v1/igmp").body["tracedForS"]?.integer ?? 0 < 1_799) ?? false  // a look
                }
                _ = try box.merge(Self.settings("239.255.77.62"))
                try #require(OwnNetwork.shell("python3 -c '\(Self.query)'"))
                var told: [JSONValue] = []
                _ = try box.await("status") { _ in
                    told = (try? Self.changes(box)) ?? []
                    return Self.has("joined", "239.255.77.62", told) && Self.has("left", "239.255.77.61", told)
                        && Self.has("queryHeard", nil, told)
                }
                let again = try box.http("GET", "/v1/igmp").body
                let since = again["groups"]?.array?.first { $0["group"] == "239.255.77.62" }?["since"]
                #expect(since == told.first { $0["what"] == "joined" && $0["group"] == "239.255.77.62" }?["time"])
                #expect(again["mldQueries"]?.integer ?? 0 >= 1)
                #expect(box.end() == .ok)
            }
        }
    }
}
