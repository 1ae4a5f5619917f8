// SPDX-License-Identifier: Apache-2.0
import JSON
import System
import TestSupport
import Testing
import Time

@testable import Sync

/// Two boxes on the loopback interface: one that serves and can be found, and one that searches.
@Suite(.serialized) struct DiscoveryTests {
    private static let serving: JSONValue = [
        "serve": ["isEnabled": true, "addresses": ["127.0.0.1"], "port": 0, "wallClockPort": 0],
        "discovery": ["isAnnounced": true, "interface": "lo"],
    ]
    private static let searching: JSONValue = ["discovery": ["searches": true, "interface": "lo"]]

    /// Runs the loops of both, and the features' ticks.
    private static func awaits(_ what: String, _ benches: [SyncBench], _ isSo: () throws -> Bool) throws {
        let end = SystemClock.monotonic() + .seconds(20)
        while try !isSo() {
            guard SystemClock.monotonic() < end else { throw Missing(what: what) }
            for bench in benches {
                try bench.loop.turn(atMost: .milliseconds(10))
                bench.host[Sync.self].tick(at: SystemClock.monotonic())
            }
        }
    }

    private struct Missing: Error { let what: String }

    private static func named(_ name: String, _ settings: JSONValue) throws -> JSONValue {
        settings.merging(patch: ["discovery": ["name": .string(name)]])
    }

    /// The box that was found is followed until it goes; settings that name a television prevail.
    @Test func theBoxThatWasFoundIsFollowed() async throws {
        try await onThread {
            Result {
                let name = "Leader \(UInt32.random(in: 0 ... .max))"
                let leader = try SyncBench(try Self.named(name, Self.serving))
                let follower = try SyncBench(Self.searching)
                leader.host.start()
                follower.host.start()
                let served = try #require(try leader.answer("sync")["served"]?.string)
                func row() throws -> JSONValue? {
                    try follower.answer("sync-find")["televisions"]?.array?.first { $0["name"] == .string(name) }
                }
                try Self.awaits("found", [leader, follower]) { try row() != nil }
                #expect(try row()?["url"] == .string(served) && row()?["address"] == "127.0.0.1")
                let events = try follower.takeEvents().filter { $0.type == "sync.discovery" }.map(\.payload)
                #expect(events.contains { $0["what"] == "found" && $0["name"] == .string(name) })
                try Self.awaits("followed", [leader, follower]) { try row()?["isFollowed"] == true }
                #expect(try follower.answer("sync")["television"] == .string(served))
                #expect(follower.statistics.snapshot().group("televisionSearch")?["searches"] != nil)
                #expect(leader.statistics.snapshot().group("announcement")?["documents"]?.json != 0)

                try follower.change(["television": .string(SyncBench.television)])
                #expect(try follower.answer("sync")["television"] == .string(SyncBench.television))
                #expect(try row()?["isFollowed"] == false)
                try follower.change(["television": .null])
                #expect(try follower.answer("sync")["television"] == .string(served))

                try leader.change(["discovery": ["isAnnounced": false]])
                try Self.awaits("lost", [leader, follower]) { try row() == nil }
                #expect(try follower.takeEvents().contains { $0.payload["what"] == "lost" })
                try follower.change(["discovery": ["searches": false]])
                #expect(try follower.answer("sync")["television"] == .null)
                #expect(try follower.answer("sync-find").string?.hasPrefix("no televisions are searched for") == true)
                withExtendedLifetime((leader, follower)) {}
            }
        }.get()
    }

    /// A box that is found and searches does not find itself.
    @Test func aBoxDoesNotFindItself() async throws {
        try await onThread {
            Result {
                let name = "Alone \(UInt32.random(in: 0 ... .max))"
                let settings = try Self.named(name, Self.serving).merging(patch: Self.searching)
                let (box, other) = (try SyncBench(settings), try SyncBench(Self.searching))
                box.host.start()
                other.host.start()
                func finds(_ bench: SyncBench) throws -> Bool {
                    let rows = try bench.answer("sync-find")["televisions"]?.array ?? []
                    return rows.contains { $0["name"] == .string(name) }
                }
                try Self.awaits("found by the other", [box, other]) { try finds(other) }
                #expect(try !finds(box))
                withExtendedLifetime((box, other)) {}
            }
        }.get()
    }

    // MARK: CSS-36

    @Test func whatAServerTellsIsRead() async throws {
        try await onThread {
            Result {
                let bench = try SyncBench(Self.serving)
                bench.host.start()
                let served = try #require(try bench.answer("sync")["served"])
                let answer = try bench.laterAnswer("sync-cii", ["url": served])
                #expect(answer["protocolVersion"] == "1.1" && answer["presentationStatus"] == "okay")
                #expect(answer["contentId"] == .null && answer["timelines"] == [] && answer["changes"] == [])
                #expect(answer["tsUrl"]?.string?.hasPrefix("ws://127.0.0.1:") == true)
                try bench.play("One")
                let later = try bench.laterAnswer("sync-cii", ["url": served, "seconds": 1])
                #expect(later["contentId"] == "urn:touchline:channel:One")
                #expect(later["timelines"] == ["urn:dvb:css:timeline:pts at 90000/1 ticks a second"])
                let other = try bench.laterAnswer("sync-cii", ["url": .string(SyncBench.television)])
                #expect(other.string?.hasPrefix("\(SyncBench.television): not reached: ") == true)
            }
        }.get()
    }

    @Test func whatIsNoServerIsRefused() throws {
        let bench = try SyncBench()
        bench.host.start()
        for url in ["wss://tv.example/cii", "tv"] {
            let refusal = try bench.answer("sync-cii", ["url": .string(url)]).string
            #expect(refusal == "url is '\(url)': expected one like ws://192.0.2.1:7681/cii")
        }
    }
}
