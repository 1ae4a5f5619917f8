// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Measuring
import Testing

extension Interop {
    /// CSS-04: a channel of sound alone follows a television, by when its beeps are heard.
    @Suite(.enabled(if: Peer.ffmpeg.isThere && Peer.pydvbcss.isThere)) struct TelevisionSoundTests {
        /// Seconds by which sound may be late or early, with what coding adds.
        private static let nearby = 0.06
        /// How far behind what is sent the television is, seconds.
        private static let behind = 4.0

        @Test func soundAloneFollows() async throws {
            try await TestVenue.open { venue in
                let path = try await FlashAndBeep.makeBeeps(seconds: 60, in: venue)
                let first = try await TelevisionScene.firstTimeStamp(of: path, stream: "a", in: venue)
                let (target, television) = (StreamTarget(name: "Radio"), try await Television(in: venue))
                let heard = venue.directory.file("heard.wav")
                let box = try await BoxProcess(
                    [
                        "channels": [target.json], "sync": ["television": .string(television.url)],
                        "sound": ["kind": "wav", "wavPath": .string(heard)],
                    ], in: venue)
                let socket = try ControlSocket(box.socket)
                let began = ControlSocket.now()
                try venue.start(StreamTarget.paced([path]) + target.output(), name: "radio")
                try await box.tune("Radio")
                let hasPast = try await eventually(within: .seconds(15)) {
                    try socket.ask("position").result["availableMs"]?.integer ?? 0 > 5_000
                }
                guard hasPast else { throw VenueError("the channel has no past") }

                let ticks = first + (ControlSocket.now() - began - Self.behind) * 90_000
                try await television.obey("seek \(Int(ticks))")
                var position = try await television.obey("available")
                try await settle("locked", socket)
                try await expectTogether(heard, position, first: first, "locked")
                // By another part of a second than that from beep to beep.
                let jumps = try socket.ask("sync").result["jumps"]?.integer ?? .max
                position = try await television.obey("step 700")
                try await settle("step of 700 ms", socket, afterJumps: jumps)
                try await expectTogether(heard, position, first: first, "step of 700 ms")
                try Peer.pydvbcss.log(test: #function, checks: 4)
            }
        }

        /// Waits until the box presents together with the television, by its own measurement.
        private func settle(_ phase: String, _ socket: ControlSocket, afterJumps jumps: Int64 = -1) async throws {
            let isSettled = try await eventually(within: .seconds(10)) {
                let report = try socket.ask("sync").result
                guard report["state"] == "running", let error = report["errorUs"]?.integer,
                    let count = report["jumps"]?.integer
                else { return false }
                return count > jumps && error.magnitude <= 20_000
            }
            guard isSettled else { throw VenueError("\(phase): \(try socket.ask("sync").result.text())") }
        }

        /// Each beep begins with a whole second of the programme, whose place 0 has the first time stamp.
        private func expectTogether(
            _ path: String, _ position: Television.Position, first: Double, _ phase: String
        ) async throws {
            let began = ControlSocket.now()
            let clock = try SoundClock.watching(path, seconds: 3)
            let onsets = Beeps.onsets(try WAVRecording(path)).map { clock.start + $0 }.filter { $0 > began }
            let late = onsets.map { FlashPhase.centred((position.ticks(at: $0) - first) / 90_000) }
            print("television, sound alone, \(phase): beeps are \(late) s late")
            #expect(late.count >= 2, "\(phase)")
            #expect(late.allSatisfy { abs($0) <= Self.nearby }, "\(phase): \(late)")
        }
    }
}
