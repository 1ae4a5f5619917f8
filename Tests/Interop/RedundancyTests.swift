// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// A main head-end and its backup, which send and announce the same session, each from an address of its own.
    @Suite(.enabled(if: OwnNetwork.canBeMade)) struct RedundancyTests {
        private static let wires = """
            ip link add br0 type bridge mcast_snooping 0
            for end in box0 main0 backup0; do
            ip link add $end type veth peer name to-$end; ip link set to-$end master br0 up; ip link set $end up; done
            for i in all default box0 main0 backup0; do
            echo 1 >/proc/sys/net/ipv4/conf/$i/accept_local; echo 0 >/proc/sys/net/ipv4/conf/$i/rp_filter; done
            ip addr add 10.0.0.1/24 dev box0; ip addr add 10.0.0.2/24 dev main0; ip addr add 10.0.0.3/24 dev backup0
            ip link set br0 up
            """

        private static func headEnd(_ channel: Group, _ sap: Group, on interface: String, source: String) -> JSONValue {
            [
                "streamer": ["id": "venue"], "license": BoxProcess.license,
                "announcements": ["groups": [sap.json], "intervalMs": 500],
                "network": ["interface": .string(interface), "hops": 1],
                "channels": [
                    channel.json.merging(patch: [
                        "number": 1, "name": "One", "width": 320, "height": 180, "gop": 12, "bitrateKbps": 300,
                        "preset": "ultrafast", "source": .string(source),
                    ])
                ],
            ]
        }

        /// Waits for the sources of the only channel.
        private func sources(_ expected: [String], _ socket: ControlSocket) async throws -> Bool {
            try await eventually(within: .seconds(10)) {
                let channels = try socket.ask("channels").result["channels"]?.array ?? []
                let further = channels.first?["furtherSources"]?.array?.compactMap(\.string) ?? []
                return channels.count == 1 && [channels[0]["source"]?.string ?? ""] + further == expected
            }
        }

        /// How long it takes from now on until pictures are shown again that came later.
        private func pause(_ box: BoxProcess) async throws -> Duration? {
            let began = ContinuousClock.now
            // What is still to be shown of what has come.
            let before = try await box.counter("/stage/picturesPresented") + 15
            let isBack = try await eventually(within: .seconds(10)) {
                try await box.counter("/stage/picturesPresented") > before
            }
            return isBack ? ContinuousClock.now - began : nil
        }

        @Test func eitherHeadEndMayEnd() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                try await venue.succeed(["sh", "-ec", Self.wires])
                let (channel, sap) = (Group(), Group())
                let main = Self.headEnd(channel, sap, on: "main0", source: "10.0.0.2")
                let backup = Self.headEnd(channel, sap, on: "backup0", source: "10.0.0.3")
                let box = try await BoxProcess(
                    [
                        "network": ["interface": "box0"],
                        "announcements": ["groups": [sap.json], "pruneMinimumMs": 2_000],
                    ], in: venue)
                let socket = try ControlSocket(box.socket)
                let first = try venue.headEnd(main)
                try await box.awaitChannel("One")
                try await box.tune("One")
                let session = try await box.answer("status")["session"]

                // The backup is heard of: one channel, which plays on.
                let second = try venue.headEnd(backup)
                #expect(try await sources(["10.0.0.2", "10.0.0.3"], socket))
                let streamers = try await box.answer("streamers")["streamers"]?.array ?? []
                #expect(streamers.compactMap { $0["address"]?.string }.sorted() == ["10.0.0.2", "10.0.0.3"])
                #expect(try await box.answer("status")["session"] == session)

                // The main head-end is lost without a word.
                first.signal(SIGKILL)
                let gap = try #require(try await pause(box), "no picture of the backup")
                #expect(gap < .seconds(6), "\(gap)")
                let other = try await box.answer("status")["session"]
                #expect(try await sources(["10.0.0.3"], socket))

                // It returns, and the backup ends: this time both are joined already.
                _ = try venue.headEnd(main)
                #expect(try await sources(["10.0.0.3", "10.0.0.2"], socket))
                #expect(try await box.answer("status")["session"] == other, "nothing is interrupted")
                second.signal(SIGKILL)
                let again = try #require(try await pause(box), "no picture of the main head-end")
                #expect(again < .seconds(4), "\(again)")
                #expect(try await box.answer("status")["session"] == other)
                #expect(try await box.counter("/lineUp/channelsAdded") == 1)
                #expect(try await box.counter("/lineUp/announcementsConflicting") == 0)
                print("redundancy: pictures again after \(gap) and \(again)")
            }
        }
    }
}
