// SPDX-License-Identifier: Apache-2.0
import JSON
import Playback
import Synchronisation
import System
import TestSupport
import Testing
import Time

@testable import Sync

/// Boxes of a group over the loopback interface, with stages that play what they are told.
@Suite(.serialized) struct GroupTests {
    private static let key = "0123456789abcdef"

    private static func settings(
        _ name: String, key: String = GroupTests.key, isAppointed: Bool = false
    ) -> JSONValue {
        [
            "serve": ["isEnabled": true, "addresses": ["127.0.0.1"], "port": 0, "wallClockPort": 0],
            "group": ["name": .string(name), "key": .string(key), "isAppointed": .bool(isAppointed)],
        ]
    }

    /// Groups of tests that run at the same time do not hear each other.
    private static func name() throws -> String { "lobby-" + (try BoxIdentity.random()).prefix(8) }

    /// On a thread of its own, as the loops want it.
    private func run(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await onThread { Result { try body() } }.get()
    }

    private static func turn(
        _ benches: [SyncBench], _ what: Comment, within limit: Nanoseconds = .seconds(20), until isSo: () throws -> Bool
    ) throws {
        let end = SystemClock.monotonic() + limit
        var second = SystemClock.monotonic()
        while try !isSo() {
            let now = SystemClock.monotonic()
            guard now < end else {
                let reports = try benches.map { try $0.answer("sync-group").text() }
                Issue.record("\(what) did not come: \(reports)")
                return
            }
            if second <= now {
                second = second + .seconds(1)
                for bench in benches { bench.host.tick(at: now) }
            }
            for bench in benches { try bench.loop.turn(atMost: .milliseconds(2)) }
        }
    }

    private static func roles(_ benches: [SyncBench]) throws -> [String] {
        try benches.map { try $0.answer("sync-group")["role"]?.string ?? "" }
    }

    /// Election, whom the others follow, who may command, and what happens when the leader is gone.
    @Test func boxesElectFollowAndReplaceTheirLeader() async throws {
        try await run {
            let name = try Self.name()
            let benches = try (0..<3).map { _ in try SyncBench(Self.settings(name)) }
                .sorted { $0.identity.id < $1.identity.id }
            for bench in benches {
                bench.host.start()
                try bench.play("One")
            }
            try Self.turn(benches, "a leader") { try Self.roles(benches) == ["leading", "following", "following"] }
            let leader = try benches[0].answer("sync-group")
            #expect(leader["leader"] == .string(benches[0].identity.id) && leader["isLocked"] == true)
            #expect(leader["boxes"]?.array?.count == 2 && leader["problem"] == .null)
            let url = try #require(leader["leaderUrl"]?.string)
            try Self.turn(benches, "the connection") {
                try benches[1].answer("sync")["contentId"] == "urn:touchline:channel:One"
            }
            let follower = try benches[1].answer("sync")
            #expect(follower["television"] == .string(url) && follower["groupRole"] == "following")
            // A box that follows is not followed.
            #expect(try benches[1].answer("sync")["followers"] == 0)
            // The leader's place moves that of all, and no other's does.
            let refusal = try benches[1].answer("sync-group-move", ["move": "pause"]).string
            #expect(
                refusal == "the box follows \(benches[0].identity.id) of the group '\(name)', whose CSS-CII is \(url): "
                    + "give the command to that box")
            #expect(try benches[0].answer("sync-group-move", ["move": "pause"])["followers"] != nil)
            #expect(benches[0].takePerformed().contains { $0.contains("pause") })
            for command in ["sync-leave", "sync-join"] {
                #expect(
                    try benches[1].answer(command)
                        == .string(
                            "the group '\(name)' says whom the box follows: expected no sync.group.name"))
            }
            let told = try benches[1].takeEvents().filter { $0.type == "sync.leader" }
            #expect(told.map { $0.payload["what"]?.string } == ["follows"])

            benches[0].host.stop()
            let rest = Array(benches[1...])
            try Self.turn(rest, "another leader") {
                try Self.roles(rest) == ["leading", "following"]
                    && rest[1].answer("sync-group")["leader"] == .string(benches[1].identity.id)
            }
            try Self.turn(rest, "its connection") {
                try rest[1].answer("sync")["contentId"] == "urn:touchline:channel:One"
            }
            let steered = rest[0].takePerformed().last { $0.contains("steer") }
            #expect(steered?.hasSuffix("steer(Optional(0))") == true, "the clock that it leads with is a shared one")
            let counters = try #require(rest[0].statistics.snapshot().group("syncGroup"))
            #expect(try #require(counters["received"]?.json.integer) > 0 && counters["malformed"]?.json == 0)
        }
    }

    /// A box with another key is not heard, and hears nobody: it leads itself alone.
    @Test func onlyHoldersOfTheKeyAreHeard() async throws {
        try await run {
            let name = try Self.name()
            let benches = [
                try SyncBench(Self.settings(name)), try SyncBench(Self.settings(name, key: "0123456789abcdeF")),
            ]
            for bench in benches {
                bench.host.start()
                try bench.play("One")
            }
            try Self.turn(benches, "two leaders") { try Self.roles(benches) == ["leading", "leading"] }
            for bench in benches {
                #expect(try bench.answer("sync-group")["boxes"] == [])
                let forged = try #require(bench.statistics.snapshot().group("syncGroup"))["forged"]?.json.integer
                #expect(try #require(forged) > 0)
            }
        }
    }

    /// The appointed box leads though its name is the greatest; a box that plays nothing does not.
    @Test func theAppointedBoxLeadsAndAnIdleOneDoesNot() async throws {
        try await run {
            let name = try Self.name()
            let benches = [
                try SyncBench(Self.settings(name)), try SyncBench(Self.settings(name, isAppointed: true)),
                try SyncBench(Self.settings(name)),
            ]
            for bench in benches { bench.host.start() }
            for bench in benches[0...1] { try bench.play("One") }
            try Self.turn(benches, "the appointed leader") {
                try Self.roles(benches) == ["following", "leading", "waiting"]
            }
            #expect(try benches[2].answer("sync-group")["problem"] == "no channel is played here")
            #expect(
                try benches[2].answer("sync-group-move", ["move": "live"])
                    == "nothing plays: expected a tuned channel")
            // It leaves when it has played nothing for some seconds, and another one leads.
            benches[1].regions.stop(benches[1].regions.main)
            try Self.turn(benches, "the other leader") {
                try Self.roles(benches) == ["leading", "waiting", "waiting"]
            }
        }
    }

    /// One that doubts its clock is not enough; half of the others are. The refused one follows as the others do.
    @Test func aLeaderWithABrokenClockIsReplaced() async throws {
        try await run {
            let name = try Self.name()
            let benches = try (0..<4).map { _ in try SyncBench(Self.settings(name)) }
                .sorted { $0.identity.id < $1.identity.id }
            for bench in benches {
                bench.host.start()
                try bench.play("One")
            }
            try Self.turn(benches, "a leader") {
                try Self.roles(benches) == ["leading", "following", "following", "following"]
            }
            var counters = WallClockRequesterCounters()
            counters.serverSteps = 3
            for bench in benches { _ = try bench.takeEvents() }
            for bench in benches[2...] {
                let group = try #require(bench.host[Sync.self].group)
                group.looked(isLocked: false, clock: counters, at: SystemClock.monotonic())
            }
            try Self.turn(benches, "another leader") {
                try Self.roles(benches) == ["following", "leading", "following", "following"]
            }
            let told = try benches[3].takeEvents().filter { $0.type == "sync.leader" }.map(\.payload)
            #expect(told.first?["what"] == "refused" && told.last?["what"] == "follows")
            #expect(told.first?["leader"] == .string(benches[0].identity.id))
            #expect(told.last?["leader"] == .string(benches[1].identity.id))
        }
    }

    /// The services of before have their ports until their threads have ended, and nothing waits for that.
    @Test func settingsThatChangeBeginAnew() async throws {
        try await run {
            let name = try Self.name()
            let bench = try SyncBench(Self.settings(name))
            bench.host.start()
            try bench.play("One")
            try Self.turn([bench], "the leader") { try Self.roles([bench]) == ["leading"] }
            let served = try #require(try bench.answer("sync")["served"]?.string)
            let port = try #require(served.split(separator: ":").last)
            let number = try #require(Int64(port.prefix { $0 != "/" }))
            try bench.change(["serve": ["port": .integer(number)]])
            #expect(try bench.answer("sync")["served"] == .null)
            try Self.turn([bench], "the port") { try bench.answer("sync")["served"] != .null }
            #expect(try bench.answer("sync")["served"]?.string?.contains(":\(number)/") == true)
            try bench.change(["group": ["name": ""]])
            try Self.turn([bench], "the services") { try bench.answer("sync")["served"] != .null }
            #expect(try bench.answer("sync-group")["role"] == "none")
            #expect(
                try bench.answer("sync-group-move", ["move": "live"])
                    == "the box is in no group: expected sync.group.name")
        }
    }

    /// A secret is in no answer.
    @Test func theKeyIsNotShown() throws {
        let bench = try SyncBench(Self.settings("lobby"))
        #expect(!bench.store.shown.text().contains(Self.key))
        #expect(bench.store.shown.at("/sync/group/key") == "********")
        #expect(bench.settings.group.key == Self.key)
        // What was read may be written back.
        #expect(try bench.change(["group": ["key": "********", "name": "hall"]]) == nil)
        #expect(bench.settings.group.key == Self.key && bench.settings.group.name == "hall")
        let refusal = try bench.change(["group": ["key": "fifteen octets!"]])
        #expect(
            refusal?.contains("/sync/group/key: expected a secret of 16 octets at least, as group.name is set") == true)
        #expect(refusal?.contains("fifteen") == false)
    }

    @Test(arguments: [
        (#"{"group":{"name":"lobby"}}"#, "/sync/group/key: expected a secret of 16 octets at least"),
        (
            #"{"group":{"name":"lobby","key":"0123456789abcdef"}}"#,
            "/sync/serve/isEnabled is false; expected true, as group.name is set"
        ),
        (
            #"{"group":{"name":"lobby","key":"0123456789abcdef"},"television":"ws://tv/cii"}"#,
            #"/sync/television is "ws://tv/cii"; expected no television, as group.name is set"#
        ),
        (#"{"group":{"name":7}}"#, "/sync/group/name is 7; expected a text of 0...32 characters"),
        (#"{"group":{"isAppointed":1}}"#, "/sync/group/isAppointed is 1; expected true or false"),
        (#"{"group":{"leader":true}}"#, "/sync/group/leader is no field; expected one of isAppointed, key, name"),
    ])
    func refusalsNameFieldValueAndExpectation(text: String, expected: String) throws {
        let refusal = try SyncBench().change(try JSONValue.parse(text))
        #expect(refusal?.contains(expected) == true, "\(refusal ?? "taken")")
    }
}
