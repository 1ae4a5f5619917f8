// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// SVM-89…99 by what happens to a box on a wire of its own.
    @Suite struct HealthTests {
        private static let settings: JSONValue = [
            "network": ["interface": "box0"],
            "announcements": ["missedIntervals": 3, "pruneMinimumMs": 6_000],
            "health": [
                "firstListenMs": 5_000, "noChannels": ["raiseMs": 0, "clearMs": 1_000], "venue": ["leaveMs": 1_000],
                "poorQuality": ["windowMs": 2_000, "raiseMs": 0, "clearMs": 1_000],
            ],
        ]

        /// The wire is pulled and put back; the head-end dies and another one comes: each bit comes and goes once.
        @Test(.enabled(if: getuid() == 0, "SKIP: a network of its own needs root"))
        func eachReasonComesAndGoesOnce() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                try await venue.succeed(["sh", "-c", Self.wire])
                let (group, channel) = (Group(), Group())
                let headEnd = Self.headEnd(channel, announcing: group)
                let first = try venue.headEnd(headEnd)
                let box = try await BoxProcess(
                    Self.settings.merging(patch: ["announcements": ["groups": [group.json]]]), in: venue)
                try await box.awaitChannel("One")
                let events = try box.events()
                try await box.tune("One")

                // SVM-114: nothing is lost on this wire.
                let isExcellent = try await eventually(within: .seconds(5)) {
                    try await box.counter("/session_link_indicator") == 10
                }
                #expect(isExcellent)
                let slates = try await box.counter("/stage/slatesShown")
                try await venue.succeed(["ip", "link", "set", "box0", "down"])
                try await Self.become(2, events)
                #expect(try await box.answer("service").at("/uplinks/0/isUp") == false)
                // SVM-96: in place of the held picture, until there is one again.
                let isSlateShown = try await eventually(within: .seconds(5)) {
                    try await box.counter("/stage/slatesShown") > slates
                }
                #expect(isSlateShown)
                try await venue.succeed(["ip", "link", "set", "box0", "up"])
                try await Self.become(0, events)
                let isPlaying = try await eventually(within: .seconds(10)) {
                    try await box.answer("status")["isPlaying"] == true
                }
                #expect(isPlaying)

                first.signal(SIGKILL)
                try await Self.become(8, events)
                #expect(try await box.answer("status")["serviceReason"] == "PoorQuality")
                try await Self.become(4, events)
                _ = try venue.headEnd(headEnd)
                try await Self.become(0, events)

                let all = try await box.answer("events")["events"]?.array ?? []
                let reasons = all.filter { $0["type"] == "service.state" }.compactMap {
                    $0.at("/payload/reasons")?.integer
                }
                #expect(reasons == [0, 2, 0, 8, 12, 4, 0])
                let connected = all.filter { $0["type"] == "venue.connection" }.compactMap {
                    $0.at("/payload/isConnectedToVenue")?.bool
                }
                #expect(connected == [true, false, true])
            }
        }

        /// Both ends in one namespace: what comes from the other end has an address of this machine.
        private static let wire = """
            ip link add box0 type veth peer name head0
            for link in box0 head0; do
                echo 1 > /proc/sys/net/ipv4/conf/$link/accept_local
                echo 0 > /proc/sys/net/ipv4/conf/$link/rp_filter
            done
            echo 0 > /proc/sys/net/ipv4/conf/all/rp_filter
            ip addr add 10.77.0.1/24 dev box0
            ip addr add 10.77.0.2/24 dev head0
            ip link set box0 up && ip link set head0 up
            """

        private static func headEnd(_ channel: Group, announcing group: Group) -> JSONValue {
            [
                "streamer": ["id": "health"], "license": BoxProcess.license,
                "announcements": ["groups": [group.json], "intervalMs": 1_000],
                "network": ["interface": "head0", "hops": 1],
                "channels": [
                    channel.json.merging(patch: [
                        "number": 1, "name": "One", "width": 320, "height": 180, "gop": 12, "bitrateKbps": 300,
                        "preset": "ultrafast",
                    ])
                ],
            ]
        }

        private static func become(_ reasons: Int64, _ events: EventReader) async throws {
            _ = try await events.next("service.state", within: .seconds(20)) { $0["reasons"]?.integer == reasons }
        }
    }
}
