// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// Four boxes in networks of their own, over a relay that loses and delays: what they showed and sounded when (G-53,
    /// G-54). A fifth one joins in the middle.
    @Suite(.enabled(if: Peer.ffmpeg.isThere && Peer.hasNamespaces)) struct ConcourseTests {
        private static let isLong = Interop.isSoak
        private static let delays: [Int64] = [300, 200, 1_000, 500]
        private static let steady = isLong ? 60.0 : 8
        private static let part = isLong ? 10.0 : 4
        private static let back: Int64 = isLong ? 20_000 : 4_000
        /// Of pictures and of moments of the sound; the processes share one machine with the test.
        private static let share = 0.99

        @Test func picturesAndSoundAreTogether() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let noise = "anoisesrc=color=pink:amplitude=0.4:sample_rate=48000:seed=11"
                let video = try await CountedVideo.make(seconds: 120, sound: noise, in: venue)
                let concourse = try await Concourse(
                    video, impairments: ["--loss", "1%", "--jitter", "10ms"], in: venue)
                let scene = ConcourseScene(concourse)
                for delay in Self.delays { try await scene.add(delay: delay) }
                print("concourse: locked \(try await scene.lock("from the tune")) s after the last tune")
                try await Task.sleep(for: .seconds(2))
                try await scene.expectTogether("live", for: Self.steady, share: Self.share)
                try await scene.expectLogsTrue(looks: Self.isLong ? 100 : 20)

                // One more joins, and does what all do.
                try await scene.add(delay: 400)
                print("concourse: the fifth locked \(try await scene.lock("joined")) s after its tune")
                try await Task.sleep(for: .seconds(Double(Self.back) / 1_000 + 2))
                _ = try scene.leader.ask("rewind", ["ms": .integer(Self.back)])
                print("concourse: rewound after \(try await scene.lock("rewound")) s")
                try await Task.sleep(for: .seconds(2))
                try await scene.expectTogether("rewound", for: Self.part, share: Self.share)

                _ = try scene.leader.ask("pause")
                try await Task.sleep(for: .seconds(Self.isLong ? 5 : 2))
                let held = try scene.heldPictures()
                #expect(!held.contains(nil) && Set(held).count == 1, "paused: \(held)")
                _ = try scene.leader.ask("play")
                print("concourse: playing again after \(try await scene.lock("playing again")) s")
                try await Task.sleep(for: .seconds(2))
                try await scene.expectTogether("playing again", for: Self.part, share: Self.share)

                _ = try scene.leader.ask("live")
                print("concourse: live after \(try await scene.lock("live again")) s")
                try await Task.sleep(for: .seconds(2))
                try await scene.expectTogether("live again", for: Self.part, share: Self.share)
                let dropped = try await concourse.close()
                #expect(dropped > 0.005, "\(dropped)")
                try Peer.ffmpeg.log(test: #function, checks: 16)
            }
        }
    }
}
