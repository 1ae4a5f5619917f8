// SPDX-License-Identifier: Apache-2.0
import FeatureTesting
import Hosting
import JSON
import Network
import Reception
import Shapes
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Links

@Suite struct LinksTests {
    private static let channel = Channel(
        id: Channel.ID("pitch"), kind: .video, name: "Pitch",
        transport: Transport(address: "239.1.2.3", port: 5_004, encapsulation: .raw))

    @Test func oneEventForEachReason() {
        let events = GroupsRejoined.events(
            of: [
                .renewed(group: "239.1.2.3"), .linkFollowed(group: "239.1.2.4", interface: 7),
                .sourceTried("10.0.0.3"), .renewed(group: "239.1.2.5"),
            ], Self.channel)
        #expect(
            events.map(\.json) == [
                ["id": "pitch", "channel": "Pitch", "why": "silence", "groups": ["239.1.2.3", "239.1.2.5"]],
                ["id": "pitch", "channel": "Pitch", "why": "link", "groups": ["239.1.2.4"]],
            ])
        #expect(events.allSatisfy { GroupsRejoined.kind.accepts($0.json) })
        #expect(GroupsRejoined.events(of: [.linkLost(group: "239.1.2.3")], Self.channel).isEmpty)
    }

    /// SVM-04: after a suspension groups are renewed that were not silent.
    @Test func aSuspensionIsTheReason() {
        let events = GroupsRejoined.events(of: [.renewed(group: "239.1.2.3")], Self.channel, renewal: .resume)
        let expected: JSONValue = ["id": "pitch", "channel": "Pitch", "why": "resume", "groups": ["239.1.2.3"]]
        #expect(events.map(\.json) == [expected])
        #expect(events.allSatisfy { GroupsRejoined.kind.accepts($0.json) })
    }

    /// SVM-05: whoever follows the links is told before the event.
    @Test(.enabled(if: OwnNetwork.canBeMade)) func aLinkComesAndGoes() throws {
        let lines = try OwnNetwork.run { try Self.follow("box0") }
        #expect(
            lines == [
                "follow true", #"network.link {"interface":"box0","isUp":true}"#, "follow false",
                #"network.link {"interface":"box0","isUp":false}"#,
            ])
    }

    /// What is told of an interface that is made, comes up and goes down.
    private static func follow(_ name: String) throws -> [String] {
        final class Told {
            var lines: [String] = []
            var isUp = false
            var end: () -> Void = {}
        }
        let told = Told()
        guard OwnNetwork.shell("ip link set lo up; ip link add \(name) type veth peer name venue0") else { return [] }
        OwnNetwork.shell("ip link set \(name) up")
        var context = try FeatureContext.testing { event, payload in
            guard payload["interface"]?.string == name else { return }
            told.lines.append("\(event) \(payload.text())")
            if payload["isUp"] == true { OwnNetwork.shell("ip link set venue0 down") } else { told.end() }
        }
        let loop = context.loop
        told.end = { loop.stop() }
        context.provide(
            Links.Followers(
                memberships: { [] },
                changed: { links in
                    let isUp = links?.attachment(named: name) != nil
                    if told.isUp != isUp { told.lines.append("follow \(isUp)") }
                    told.isUp = isUp
                }))
        let host = try FeatureHost([Links.self], context)
        host.start()
        #expect(host[Links.self].state != nil)
        OwnNetwork.shell("ip link set venue0 up")
        _ = loop.after(.seconds(10)) { loop.stop() }  // the events did not come
        try loop.run()
        host.stop()
        return told.lines
    }
}
