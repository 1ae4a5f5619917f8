// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// A transport stream with sound alone: it plays when it is heard, and stops playing when it is not (SVM-65, 73, 78).
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct RadioTests {
        @Test func soundAlone() async throws {
            try await TestVenue.open { venue in
                let target = StreamTarget(name: "Radio")
                let tone = try await SoundCoding.aac.makeTone(seconds: 25, in: venue)
                let sender = try venue.start(StreamTarget.paced([tone]) + target.output(), name: "radio")
                let box = try await BoxProcess(["channels": [target.json]], in: venue)
                let socket = try ControlSocket(box.socket)
                var trace = try EventTrace(socket)
                try await box.tune("Radio")
                #expect(
                    try await trace.upTo("session.play") == [
                        "open Radio", "buffering Radio", "session.ready", "not buffering Radio", "play Radio",
                        "session.play",
                    ])
                #expect(try socket.ask("status").result["playerState"] == "play")
                for _ in 0..<2 { _ = try socket.ask("pause") }
                #expect(try socket.ask("status").result["isPlaying"] == false)
                for _ in 0..<2 { _ = try socket.ask("play") }
                #expect(try trace.new() == ["session.pause", "rewind Radio", "session.play"])
                #expect(try socket.ask("status").result["isPlaying"] == true)
                _ = try await eventually(within: .seconds(5)) {
                    try (socket.ask("position").result["availableMs"]?.integer ?? 0) > 2_500
                }
                let rewound = try socket.ask("rewind", ["ms": 2_000]).result["offsetMs"]?.integer ?? 0
                #expect((1_500...4_000).contains(rewound), "\(rewound)")
                #expect(try socket.ask("live").result["offsetMs"] == 0)
                #expect(try trace.new() == ["rewind Radio", "live Radio"])
                try await sender.end()
                #expect(try await trace.upTo("buffering Radio") == ["buffering Radio"])
                #expect(try socket.ask("status").result["isPlaying"] == false)
                try Peer.ffmpeg.log(test: "radio", checks: 7)
            }
        }
    }
}
