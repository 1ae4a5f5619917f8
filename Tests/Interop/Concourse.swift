// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

/// Boxes that stand in one concourse: a head-end, a relay that loses packets, and boxes in network namespaces of their
/// own, all on one bridge. The venue has to have its own network.
final class Concourse {
    static let bridge = "bridge0"
    private static let network = "10.77.0"

    let venue: TestVenue
    private let announcements = Group()
    private let heard = Group()
    private let relay: RelayProcess
    private var boxes = 0

    /// One channel, `One`, of this video, with repair.
    /// - Parameter impairments: of the relay's command line.
    init(_ video: CountedVideo, impairments: [String], in venue: TestVenue) async throws {
        self.venue = venue
        try await venue.succeed([
            "sh", "-ec",
            """
            ip link add \(Self.bridge) type bridge mcast_snooping 0
            ip address add \(Self.network).1/24 dev \(Self.bridge)
            ip link set \(Self.bridge) up
            """,
        ])
        let via = Group().address
        relay = try await RelayProcess.start(
            ["--from", "\(via):\(heard.port),\(heard.port + 2)", "--to", "\(heard.address):\(heard.port)"]
                + impairments,
            on: Self.bridge, in: venue)
        _ = try venue.headEnd([
            "streamer": ["id": "concourse"], "license": BoxProcess.license,
            "network": ["interface": .string(Self.bridge), "hops": 1],
            "announcements": ["groups": [announcements.json], "intervalMs": 1_000],
            "channels": [
                heard.json.merging(patch: [
                    "name": "One", "number": 1, "kind": "file", "file": .string(video.path), "via": .string(via),
                    "repair": [
                        "scheme": "windows", "sourcePackets": 50, "repairPackets": 10, "depth": 2, "spanMs": 500,
                    ],
                ])
            ],
        ])
    }

    /// The address of the box that is made with this index, from 0.
    static func address(_ index: Int) -> String { "\(network).\(11 + index)" }

    /// One more box, at the next address.
    func addBox(_ settings: JSONValue) async throws -> BoxProcess {
        let index = boxes
        boxes += 1
        let place = try venue.start(
            ["unshare", "--net", "sh", "-c", "ip link set lo up && echo up && exec sleep 3600"], name: "place-\(index)")
        guard try await eventually(within: .seconds(5), { place.outputText == "up\n" }) else {
            throw VenueError("no network namespace: \(place.messages)")
        }
        let entry = ["nsenter", "--net=/proc/\(place.id)/ns/net"]
        try await venue.succeed([
            "sh", "-ec",
            """
            ip link add box\(index) type veth peer name eth0 netns \(place.id)
            ip link set box\(index) master \(Self.bridge) up
            """,
        ])
        try await venue.succeed(
            entry + [
                "sh", "-ec",
                """
                ip address add \(Self.address(index))/24 dev eth0
                ip link set eth0 up
                ip route add 224.0.0.0/4 dev eth0
                """,
            ])
        let fixed: JSONValue = [
            "network": ["interface": "eth0"], "announcements": ["groups": [announcements.json]],
        ]
        let box = try await BoxProcess(fixed.merging(patch: settings), through: entry, in: venue)
        try await box.awaitChannel("One")
        return box
    }

    /// Ends the relay.
    /// - Returns: the share of packets that it dropped.
    func close() async throws -> Double {
        let flows = try await relay.end()
        let (dropped, received) = (flows.map(\.dropped.count).reduce(0, +), flows.map(\.received).reduce(0, +))
        return Double(dropped) / Double(max(1, received))
    }
}
