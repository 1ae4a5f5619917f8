// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Measuring
import Testing

extension Interop {
    /// Boxes that elect whom all follow, and go on together without it (G-53, G-54). They need different times until they
    /// can show a picture.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct GroupTests {
        @Test func fourBoxesElectLoseTheirLeaderAndMoveTogether() async throws {
            try await TestVenue.open { venue in
                let scene = try await GroupScene(in: venue)
                for delay in [200, 300, 1_200, 500] as [Int64] { try await scene.switchOn(delay: delay) }
                try await scene.lock("elected", within: 60)
                try await Self.loseLeader(of: scene)
                // One that comes later locks, and does not lead.
                let leader = try scene.leader()
                try await scene.switchOn(delay: 400)
                try await scene.lock("another one has come", within: 60)
                #expect(try scene.leader() === leader)
                try await Self.rewind(scene)
                try Peer.ffmpeg.log(test: #function, checks: 20)
            }
        }

        /// It follows first, and takes over when it is locked. Nobody sees that.
        @Test func theAppointedBoxTakesOverUnseen() async throws {
            try await TestVenue.open { venue in
                let scene = try await GroupScene(in: venue)
                for delay in [300, 500] as [Int64] { try await scene.switchOn(delay: delay) }
                try await scene.lock("elected", within: 60)
                let others = scene.members
                let before = try await scene.watch(others, seconds: 3)
                let appointed = try await scene.switchOn(delay: 200, isAppointed: true)
                let end = Date() + 60
                let after = try await scene.watch(others) {
                    guard Date() < end else { throw VenueError("it does not lead: \(try appointed.group.text())") }
                    return try appointed.isLeading && scene.isTogether()
                }
                Self.expectUnmoved(before, after, "taken over")
                try await scene.lock("taken over")
            }
        }

        /// The leader dies. The others go on as if nothing were, led by one of them.
        private static func loseLeader(of scene: GroupScene) async throws {
            let (leader, rest) = (try scene.leader(), try scene.followers)
            let jumps = try rest.map { try $0.jumps }
            let before = try await scene.watch(rest, seconds: 4)
            try await scene.kill(leader)
            let end = Date() + 30
            var good = 0
            let after = try await scene.watch(rest) {
                guard Date() < end else { throw VenueError("the others do not go on together") }
                good = try scene.isTogether() ? good + 1 : 0
                return good > 3
            }
            expectUnmoved(before, after, "the leader is gone")
            for (member, jumps) in zip(rest, jumps) where try !member.isLeading {
                #expect(try member.jumps == jumps, "the leader is gone")
            }
            try await scene.lock("the leader is gone")
        }

        /// By less than a picture, at any time, by what was on the screens.
        private static func expectUnmoved(
            _ before: [[Double]], _ after: [[Double]], _ phase: String,
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            var moved: [Double] = []
            for (before, after) in zip(before, after) {
                let origin = ToneAnalysis.median(before)
                moved.append(after.map { abs($0 - origin) }.max() ?? .infinity)
            }
            let isUnmoved = moved.allSatisfy { $0 < GroupScene.picture }
            #expect(isUnmoved, "\(phase): \(moved) s", sourceLocation: sourceLocation)
            let ends = after.compactMap(\.last)
            let spread = (ends.max() ?? 0) - (ends.min() ?? 0)
            #expect(spread < GroupScene.picture, "\(phase)", sourceLocation: sourceLocation)
            print("group, \(phase): moved by at most \(moved.map { $0 * 1_000 }) ms, \(spread * 1_000) ms apart")
        }

        /// What is done to the group is done by all, and by the leader alone.
        private static func rewind(_ scene: GroupScene) async throws {
            let (leader, followers) = (try scene.leader(), try scene.followers)
            let identity = try #require(try leader.group["leader"]?.string)
            do {
                _ = try followers[0].socket.ask("sync-group-move", ["move": "live"])
                Issue.record("a follower moves the group")
            } catch {
                #expect("\(error)".contains("the box follows \(identity) of the group"), "\(error)")
            }
            let all = [leader] + followers
            let before = try await scene.watch(all, seconds: 3).map { ToneAnalysis.median($0) }
            let answer = try leader.socket.ask("sync-group-move", ["move": "rewind", "ms": 5_000]).result
            #expect(answer["followers"] == .integer(Int64(followers.count)))
            try await Task.sleep(for: .seconds(1))
            try await scene.lock("rewound")
            let after = try await scene.watch(all, seconds: 3).map { ToneAnalysis.median($0) }
            let moved = zip(before, after).map { $1 - $0 }
            #expect(moved.allSatisfy { abs($0 - 5) < 0.2 }, "\(moved)")
            #expect((after.max() ?? 0) - (after.min() ?? 0) < GroupScene.picture)
            print("group, rewound: by \(moved) s")
        }
    }
}
