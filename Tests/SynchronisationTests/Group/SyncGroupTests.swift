// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import TestSupport
import Testing
import Time

@testable import Synchronisation

@Suite struct SyncGroupTests {
    private static func group(of names: [String], appointed: String? = nil, seed: UInt64) throws -> SimulatedGroup {
        var group = SimulatedGroup(seed: seed &+ Effort.seed)
        for name in names { try group.switchOn(name, isAppointed: name == appointed) }
        group.run(for: .seconds(6))
        return group
    }

    @Test func theLowestNameLeads() throws {
        let group = try Self.group(of: ["d", "b", "c", "e"], seed: 1)
        #expect(group.leaders == ["b"])
        #expect(group.followed == ["b"])
        #expect(group.eras.count == 1)
        #expect(group.jumps == 0)
    }

    @Test func theAppointedOneLeads() throws {
        let group = try Self.group(of: ["d", "b", "c", "e"], appointed: "e", seed: 1)
        #expect(group.leaders == ["e"])
        #expect(group.followed == ["e"])
    }

    @Test func aLowerNameThatComesLaterFollows() throws {
        var group = try Self.group(of: ["d", "b", "c"], seed: 2)
        try group.switchOn("a")
        group.run(for: .seconds(10))
        #expect(group.leaders == ["b"])
        #expect(group.followed == ["b"])
    }

    /// It follows, is locked, and goes on with the same clocks.
    @Test func anAppointedOneThatComesLaterTakesOverWithoutAJump() throws {
        var group = try Self.group(of: ["d", "b", "c"], seed: 3)
        let eras = group.eras
        try group.switchOn("z", isAppointed: true)
        group.run(for: .milliseconds(700))
        #expect(group.leaders == ["b"])
        group.run(for: .seconds(5))
        #expect(group.leaders == ["z"])
        #expect(group.followed == ["z"])
        #expect(group.eras == eras)
        #expect(group.jumps == 0)
    }

    @Test func aLostLeaderIsReplacedWithoutAJump() throws {
        var group = try Self.group(of: ["a", "b", "c", "d"], seed: 4)
        let eras = group.eras
        group.switchOff("a")
        // One that is not locked does not lead, though its name is the lowest.
        try group.switchOn("0")
        group.run(for: .seconds(5))
        #expect(group.leaders == ["b"])
        #expect(group.followed == ["b"])
        group.switchOff("b")
        group.run(for: .seconds(5))
        #expect(group.leaders.count == 1)
        #expect(group.eras == eras)
        #expect(group.jumps == 0)
    }

    /// A network that was in two has two leaders. When it is whole, the same one stays for all.
    @Test func ofTwoLeadersOneStays() throws {
        var group = try Self.group(of: ["a", "b", "c", "d", "e"], seed: 5)
        group.place(["c", "d", "e"], inPart: 1)
        group.run(for: .seconds(6))
        #expect(group.leaders == ["a", "c"])
        #expect(group.followed == ["a", "c"])
        // Both go on with the clocks of before.
        #expect(group.eras.count == 1)
        group.place(["c", "d", "e"], inPart: 0)
        group.run(for: .seconds(2))
        #expect(group.leaders == ["a"])
        #expect(group.followed == ["a"])
    }

    @Test func aLeaderWithABrokenClockIsRefusedByHalf() throws {
        var group = try Self.group(of: ["a", "b", "c", "d", "e"], seed: 6)
        group.refuse("a", by: "d")
        group.run(for: .seconds(2))
        // One of four is not enough: it waits, and divides nobody.
        #expect(group.leaders == ["a"])
        #expect(group.followed == ["a", "-"])
        group.refuse("a", by: "c")
        group.run(for: .seconds(2))
        #expect(group.leaders == ["b"])
        #expect(group.followed == ["b"])
        group.run(for: .seconds(120))
        #expect(group.leaders == ["b"])
    }

    @Test func announcementsOfOtherGroupsAndOfItselfCountForNothing() throws {
        let url = try #require(WebSocketURL("ws://x.test/cii"))
        var group = SyncGroup(name: "lobby", box: "b", isAppointed: false, ciiURL: url, at: Monotonic(nanoseconds: 0))
        func announcement(_ name: String, of box: String) -> GroupAnnouncement {
            GroupAnnouncement(
                group: name, box: box, isAppointed: true, leads: true, era: "e", ciiURL: url, refused: [])
        }
        #expect(group.received(announcement("bar", of: "a"), at: Monotonic(nanoseconds: 1)) == [])
        #expect(group.received(announcement("lobby", of: "b"), at: Monotonic(nanoseconds: 2)) == [])
        #expect(group.namesakes == 1)
        #expect(group.role == .waiting)
        let actions = group.received(announcement("lobby", of: "a"), at: Monotonic(nanoseconds: 3))
        #expect(actions.first == .follow(box: "a", at: url, continues: false))
    }

    /// Losses, deaths, births, broken clocks and a network in parts. When all that is over there is one leader, and all
    /// follow it.
    @Test(arguments: Effort.seeds(20)) func anyCourseEndsWithOneLeader(seed: UInt64) throws {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        let names = (0..<8).map { "box-\($0)" }
        let appointed = random.percent(50) ? random.one(of: names) : nil
        var group = try Self.group(of: names, appointed: appointed, seed: seed)
        group.lost = random.one(of: [0, 10, 30])
        for _ in 0..<30 {
            let name = random.one(of: names)
            switch Int.random(in: 0..<6, using: &random) {
            case 0...1: group.switchOff(name)
            case 2...3: if !group.alive.contains(name) { try group.switchOn(name, isAppointed: name == appointed) }
            case 4: group.place([name], inPart: .random(in: 0...1, using: &random))
            default: group.refuse(random.one(of: names), by: name)
            }
            group.run(for: .milliseconds(.random(in: 1...5_000, using: &random)))
        }
        // Refusals are remembered for a minute.
        group.lost = 0
        group.place(names, inPart: 0)
        try group.switchOn("box-8")
        group.run(for: .seconds(70))
        #expect(group.leaders.count == 1)
        let followed: Set<String> = group.alive.count > 1 ? Set(group.leaders) : []
        #expect(group.followed == followed)
        #expect(group.eras.count == 1)
    }

    /// With losses alone nobody loses the leader, and deaths of leaders cost nobody a jump.
    @Test(arguments: Effort.seeds(10)) func lossesAndDeathsCostNoJump(seed: UInt64) throws {
        var group = try Self.group(of: (0..<8).map { "box-\($0)" }, seed: seed)
        group.lost = 10
        group.run(for: .seconds(120))
        #expect(group.leaders == ["box-0"])
        for _ in 0..<5 {
            for leader in group.leaders { group.switchOff(leader) }
            group.run(for: .seconds(8))
            #expect(group.leaders.count == 1)
            #expect(group.followed == Set(group.leaders))
        }
        #expect(group.jumps == 0)
    }
}
