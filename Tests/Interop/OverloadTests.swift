// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Measuring
import Testing

extension Interop {
    /// "Shows 5": more than the box can decode in time. Pictures give way, step by step and to be seen in the
    /// statistics; the playback clock does not fall behind, and sound is whole.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct OverloadTests {
        /// Of programs that want the same processor: with so many beside it a box has a thirtieth of it.
        private static let mostHogs = 32

        /// One processor, which other programs want as well: twice as many of them each time that the box has coped.
        @Test func latencyStaysBoundedAndSoundWhole() async throws {
            try await TestVenue.open { venue in
                let (target, seconds) = (StreamTarget(), Interop.playSeconds(usual: 14))
                // Much to decode: many octets, small blocks, B pictures that no other refers to.
                let film = try await venue.film(
                    "heavy",
                    [
                        "-f", "lavfi", "-i", "testsrc2=size=1920x1080:rate=60,noise=alls=20:allf=t", "-f", "lavfi",
                        "-i",
                        SoundCoding.tone, "-t", "4", "-c:v", "libx264", "-preset", "superfast", "-g", "60",
                        "-keyint_min", "60", "-sc_threshold", "0", "-bf", "2", "-b:v", "24M", "-maxrate", "28M",
                        "-bufsize", "14M", "-pix_fmt", "yuv420p",
                    ] + SoundCoding.aac.arguments + ["-f", "mpegts"], within: .seconds(240))
                let tone = try await SoundCoding.aac.makeTone(seconds: Int(seconds) + 30, in: venue)
                let soundPath = venue.directory.file("overload.wav")
                let box = try await BoxProcess(
                    [
                        "channels": [target.json], "sound": ["kind": "wav", "wavPath": .string(soundPath)],
                        "output": ["kind": "headless", "width": 320, "height": 180],
                        "playback": ["historyLimitMB": 256, "playoutDelayMs": 500],
                    ], in: venue)
                try await venue.succeed(["taskset", "-a", "-p", "-c", "0", "\(box.process.id)"])
                let hog = ["taskset", "-c", "0", "sh", "-c", "while :; do :; done"]
                var hogs = 2
                for index in 0..<hogs { try venue.start(hog, name: "hog-\(index)") }
                // Pictures again and again; the tone in one piece.
                try venue.start(
                    [
                        "taskset", "-c", "1", "ffmpeg", "-nostdin", "-loglevel", "error", "-stream_loop", "-1", "-re",
                        "-i", film, "-re", "-i", tone, "-map", "0:v", "-map", "1:a", "-c", "copy",
                    ] + target.output(), name: "ffmpeg")
                try await box.tune("One")
                let socket = try ControlSocket(box.socket)
                try await Task.sleep(for: .seconds(4))
                var (steps, behind, presented): (Set<Int64>, [Int64], [Int64]) = ([], [], [])
                let end = ContinuousClock.now + .seconds(seconds - 4)
                var joined = ContinuousClock.now
                while ContinuousClock.now < end {
                    let stats = try socket.ask("stats").result
                    steps.insert(stats.at("/stats/playback/ladderStep")?.integer ?? -1)
                    if hogs < Self.mostHogs, (steps.max() ?? 0) < 2, ContinuousClock.now - joined > .seconds(1.5) {
                        for index in hogs..<hogs * 2 { try venue.start(hog, name: "hog-\(index)") }
                        (hogs, joined) = (hogs * 2, .now)
                    }
                    presented.append(stats.at("/stats/stage/picturesPresented")?.integer ?? -1)
                    behind.append(stats.at("/stats/stage/pictureErrorUs")?.integer ?? -1)
                    try await Task.sleep(for: .milliseconds(250))
                }
                let changes = try await box.counter("/playback/ladderChanges")
                print("overload: \(hogs) programs beside it, steps \(steps.sorted()), \(changes) changes")
                print("overload: late by µs \(behind)")
                #expect((steps.max() ?? 0) >= 2 && changes > 0, "\(steps) with \(hogs) programs beside it")
                // It still shows pictures, each near its time: what is late is left out, never put off.
                #expect((presented.last ?? 0) - (presented.first ?? 0) >= Int64(seconds - 6), "\(presented)")
                #expect(behind.allSatisfy { $0 < 500_000 }, "\(behind)")
                let position = try socket.ask("position").result
                #expect(position["offsetMs"] == 0, "\(position.text())")
                let heard = ToneAnalysis(
                    try WAVRecording(soundPath).last(seconds - 6), nominal: Double(SoundCoding.hertz))
                #expect(heard.gaps.isEmpty && heard.clicks.isEmpty, "\(heard)")
                try Peer.ffmpeg.log(test: "overload", checks: 4)
            }
        }

        /// Pictures that are made new a strip at a time: no picture after the first is a point at which decoding can begin.
        /// The box that left some out has to find its way back without.
        @Test func intraRefreshReturns() async throws {
            try await TestVenue.open { venue in
                let target = StreamTarget()
                let film = try await venue.film(
                    "refresh",
                    [
                        "-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=50,noise=alls=20:allf=t", "-t", "30", "-c:v",
                        "libx264", "-preset", "superfast", "-x264-params", "intra-refresh=1:keyint=50:scenecut=0",
                        "-bf",
                        "0", "-b:v", "6M", "-maxrate", "6M", "-bufsize", "3M", "-pix_fmt", "yuv420p", "-f", "mpegts",
                    ], within: .seconds(120))
                let box = try await BoxProcess(
                    ["channels": [target.json], "output": ["kind": "headless", "width": 320, "height": 180]], in: venue)
                _ = try await box.answer("tune", target.name)
                try venue.start(StreamTarget.paced([film]) + target.output(), name: "ffmpeg")
                let plays = try await eventually(within: .seconds(5)) {
                    try await box.counter("/stage/picturesPresented") > 50
                }
                #expect(plays)
                // A twentieth of a processor, until pictures are left out.
                let end = ContinuousClock.now + .seconds(8)
                while ContinuousClock.now < end {
                    kill(box.process.id, SIGSTOP)
                    try await Task.sleep(for: .milliseconds(160))
                    kill(box.process.id, SIGCONT)
                    try await Task.sleep(for: .milliseconds(8))
                }
                let left = try await box.counters("/playback/unitsLeftOut", "/playback/ladderChanges")
                let before = try await box.counter("/stage/picturesPresented")
                let returns = try await eventually(within: .seconds(8)) {
                    try await box.counter("/stage/picturesPresented") - before > 100
                }
                print("refresh: \(left[0]) pictures left out, \(left[1]) changes of the ladder")
                #expect(left[0] > 0, "it coped: \(left)")
                let shown = try await box.counter("/stage/picturesPresented") - before
                #expect(returns, "\(left), then \(shown) pictures")
                try Peer.ffmpeg.log(test: #function, checks: 2)
            }
        }
    }
}
