// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// Our head-end and what a box makes of its end.
    @Suite struct HeadEndTests {
        private func configuration(
            _ name: String, number: Int, announcing group: Group, on interface: String = "lo"
        ) -> JSONValue {
            [
                "streamer": ["id": .string(name)], "license": BoxProcess.license,
                "network": ["interface": .string(interface), "hops": 1],
                "announcements": ["groups": [group.json], "intervalMs": 1_200],
                "channels": [
                    Group().json.merging(patch: [
                        "number": .integer(Int64(number)), "name": .string(name), "width": 320, "height": 180,
                        "bitrateKbps": 300, "preset": "ultrafast",
                    ])
                ],
            ]
        }

        /// Of the box that is slow to forget: longer than three intervals. The soak has the settings' default.
        private static let minimum = Interop.isSoak ? 15_000 : 6_000

        /// Three intervals of silence and no less than the settings' minimum; a deletion at once.
        @Test func killedIsPrunedInTimeAndEndedIsGoneAtOnce() async throws {
            try await TestVenue.open { venue in
                let group = Group()
                let killed = try venue.headEnd(configuration("Killed", number: 1, announcing: group))
                let ended = try venue.headEnd(configuration("Ended", number: 2, announcing: group))
                let (slow, quick) = (
                    try await box(hearing: group, pruneMinimum: Self.minimum, in: venue),
                    try await box(hearing: group, pruneMinimum: 2_000, in: venue)
                )
                for box in [slow, quick] {
                    try await box.awaitChannel("Killed")
                    try await box.awaitChannel("Ended")
                }
                // Four announcements: the interval that was observed counts, not the announced one.
                _ = try await eventually(within: .seconds(10)) {
                    let streamers = try await quick.answer("streamers")["streamers"]?.array ?? []
                    return streamers.count == 2
                        && streamers.allSatisfy { ($0["sinceFirstHeardMs"]?.integer ?? 0) > 3_900 }
                }
                let events = (slow: try slow.events(), quick: try quick.events())

                ended.signal(SIGTERM)
                let asked = ContinuousClock.now
                #expect(try await removal(of: "Ended", events.quick, within: .seconds(2)) == "deleted")
                #expect(try await removal(of: "Ended", events.slow, within: .seconds(2)) == "deleted")
                #expect(ContinuousClock.now - asked < .seconds(1))
                #expect(try await ended.exitCode(within: .seconds(5)) == 0)

                killed.signal(SIGKILL)
                let died = ContinuousClock.now
                #expect(try await removal(of: "Killed", events.quick, within: .seconds(10)) == "pruned")
                // The last announcement was up to an interval before the end; a box looks once a second.
                let patience = ContinuousClock.now - died
                #expect(patience > .milliseconds(2_300) && patience < .milliseconds(5_500), "\(patience)")
                #expect(try await removal(of: "Killed", events.slow, within: .seconds(20)) == "pruned")
                let longPatience = ContinuousClock.now - died
                #expect(longPatience > .milliseconds(Self.minimum - 1_300), "\(longPatience)")
                #expect(longPatience < .milliseconds(Self.minimum + 1_500), "\(longPatience)")
                for box in [slow, quick] {
                    #expect(try await box.channelNames.isEmpty)
                    #expect(try await box.counter("/channelsPruned") == 1)
                    #expect(try await box.counter("/lineUp/channelsDeleted") == 1)
                    let isDown = try await eventually(within: .seconds(5)) {
                        try await box.answer("status")["serviceReason"] == "NoChannels"
                    }
                    #expect(isDown)
                }
            }
        }

        /// The head-end's machine gets another address while it sends, as by DHCP: pictures and announcements go on from
        /// that one, and what was not sent is told once.
        @Test(.enabled(if: OwnNetwork.canBeMade)) func itsAddressChanges() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                try await venue.succeed(["sh", "-ec", JoiningTests.cable])
                let group = Group()
                let headEnd = try venue.headEnd(configuration("Moving", number: 1, announcing: group, on: "venue0"))
                let box = try await BoxProcess(
                    [
                        "network": ["interface": "box0"],
                        "announcements": ["groups": [group.json], "pruneMinimumMs": 2_000],
                    ], in: venue)
                try await box.awaitChannel("Moving")
                try await box.tune("Moving")
                let session = try await box.answer("status")["session"]
                try await venue.succeed([
                    "sh", "-ec",
                    "ip addr add 10.0.1.9/24 dev venue0; ip addr del 10.0.0.3/24 dev venue0 || true; "
                        + "ip addr del 10.0.0.2/24 dev venue0",
                ])
                let before = try await box.counter("/playback/framesDecoded")
                #expect(
                    try await eventually(within: .seconds(5)) {
                        try await box.counter("/playback/framesDecoded") > before + 50
                    })
                #expect(
                    try await eventually(within: .seconds(20)) {
                        try await box.answer("streamers").at("/streamers/0/address") == "10.0.1.9"
                    })
                #expect(try await box.answer("status")["session"] == session, "the same session plays")
                #expect(headEnd.messages.components(separatedBy: "channel not sent").count == 2)
                #expect(headEnd.messages.components(separatedBy: "channel sent again").count == 2)
            }
        }

        private func box(hearing group: Group, pruneMinimum: Int, in venue: TestVenue) async throws -> BoxProcess {
            try await BoxProcess(
                [
                    "announcements": ["groups": [group.json], "pruneMinimumMs": .integer(Int64(pruneMinimum))],
                    // Told without having listened for long.
                    "health": ["firstListenMs": 0, "noChannels": ["raiseMs": 0]],
                ], in: venue)
        }

        /// - Returns: why the channel went.
        private func removal(of name: String, _ events: EventReader, within limit: Duration) async throws -> String? {
            let event = try await events.next("channels.removed", within: limit) {
                $0.at("/channel/name") == .string(name)
            }
            return event.at("/payload/why")?.string
        }

        /// A playing channel whose head-end goes: the reference's event, and the slate.
        @Test func channelThatGoesWhilePlayingIsInvalidAndClosed() async throws {
            try await TestVenue.open { venue in
                let group = Group()
                let headEnd = try venue.headEnd(configuration("One", number: 1, announcing: group))
                let box = try await BoxProcess(["announcements": ["groups": [group.json]]], in: venue)
                try await box.awaitChannel("One")
                try await box.tune("One")
                let events = try box.events()
                _ = try await events.next("video.channelState", within: .seconds(2))
                headEnd.signal(SIGTERM)
                _ = try await events.next("video.currentChannelInvalid", within: .seconds(2))
                _ = try await events.next("video.channelState", within: .seconds(2)) { $0["channelState"] == "close" }
                let status = try await box.answer("status")
                #expect(status["isOpen"] == false && status["isPlaying"] == false && status["channel"] == .null)
                // Nobody has to tune it when the head-end has started again.
                _ = try venue.headEnd(configuration("One", number: 1, announcing: group))
                let isBack = try await eventually(within: .seconds(10)) {
                    try await box.answer("status")["channel"] == "One"
                }
                #expect(isBack)
            }
        }
    }
}
