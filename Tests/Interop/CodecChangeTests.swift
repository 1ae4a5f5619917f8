// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// "Shows 6": from channel to channel across all codecs, and what each takes is given back.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct CodecChangeTests {
        @Test func channelChangesLeaveNothingBehind() async throws {
            try await TestVenue.open { venue in
                let sounds = SoundCoding.allCases
                var targets: [StreamTarget] = []
                for (index, sound) in sounds.enumerated() {
                    let pictures = PictureCoding.allCases[index % PictureCoding.allCases.count]
                    let target = StreamTarget(name: "\(pictures) \(sound)")
                    let video = try await CountedVideo.make(pictures, seconds: 9, in: venue)
                    let tone = try await sound.makeTone(seconds: 9, in: venue)
                    let inputs = [video.path, tone].flatMap { ["-stream_loop", "-1", "-re", "-i", $0] }
                    try venue.start(
                        ["ffmpeg", "-nostdin", "-loglevel", "error"] + inputs + [
                            "-map", "0", "-map", "1", "-c", "copy",
                        ]
                            + target.output(flags: sound.flags), name: "ffmpeg-\(sound)")
                    targets.append(target)
                }
                let box = try await BoxProcess(
                    [
                        "channels": .array(targets.map(\.json)),
                        // What is kept of a channel would take its time to fill.
                        "playback": ["historyMs": 1_000, "historyLimitMB": 1, "playoutDelayMs": 100],
                    ], in: venue)
                // A thread has the program's name until it has given itself its own.
                let isNamed = try await eventually(within: .seconds(5)) {
                    try box.threadNames.count(where: { $0 == "touchlined" }) == 1
                }
                #expect(isNamed)
                let idle = (descriptors: try box.descriptorCount, threads: try box.threadNames.sorted())
                // SVM-09: where nothing plays nothing is read or decoded, and where something does both are.
                let media: Set = ["read", "decode"]
                #expect(media.isDisjoint(with: idle.threads), "\(idle.threads)")
                let count = Interop.isSoak ? 200 : 15
                var (warm, shown) = (0, 0)
                for index in 0..<count + targets.count {
                    // The first of each warms its codec up.
                    if index == targets.count { warm = try box.residentKilobytes }
                    let target = targets[index % targets.count]
                    let presented = try await box.counter("/stage/picturesPresented")
                    try await box.tune(target.name)
                    let isShown = try await eventually(within: .seconds(3)) {
                        try await box.counter("/stage/picturesPresented") > presented
                    }
                    if isShown { shown += 1 }
                    if index == 0 {
                        let threads = try box.threadNames
                        #expect(media.isSubset(of: threads), "\(threads)")
                    }
                    if index % 7 == 6 { _ = try await box.answer("stop") }
                }
                let threads = try box.threadNames.filter { $0 == "decode" }.count
                #expect(threads <= 1 && shown == count + targets.count, "\(threads), \(shown) of \(count) shown")
                let end = try box.residentKilobytes
                _ = try await box.answer("stop")
                let isBack = try await eventually(within: .seconds(5)) {
                    try box.descriptorCount <= idle.descriptors && box.threadNames.sorted() == idle.threads
                }
                let after = (try box.descriptorCount, try box.threadNames.sorted())
                #expect(isBack, "before \(idle), after \(after)")
                #expect(try box.arenaCount <= 3, "threads share what malloc keeps")
                #expect(end - warm <= 16_384, "\(warm) kB before \(count) changes, \(end) kB behind them")
                print("\(count) channel changes: \(warm) kB before, \(end) kB behind; \(after)")
                try Peer.ffmpeg.log(test: "changes", checks: count)
            }
        }
    }
}
