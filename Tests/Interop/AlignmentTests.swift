// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Measuring
import Testing

extension Interop {
    /// Sound and pictures of one instant, by flash and beep: looks at the screen and the file of the sound, each timed
    /// from outside.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct AlignmentTests {
        private struct Scene {
            let venue: TestVenue
            let target = StreamTarget()
            let box: BoxProcess
            let socket: ControlSocket
            let soundPath: String

            init(in venue: TestVenue) async throws {
                self.venue = venue
                soundPath = venue.directory.file("heard.wav")
                // A small stage: a look costs little time.
                box = try await BoxProcess(
                    [
                        "channels": [target.json], "sound": ["kind": "wav", "wavPath": .string(soundPath)],
                        "output": ["kind": "headless", "width": 128, "height": 72],
                    ], in: venue)
                socket = try ControlSocket(box.socket)
            }

            /// How much later than the flashes the beeps are, in seconds, and how sure that is.
            func offset(over seconds: Double) async throws -> (offset: Double, uncertainty: Double) {
                let began = ControlSocket.now()
                let looks = try await FlashPhase.looks(at: socket, seconds: seconds, in: venue)
                let flashes = FlashPhase(looks)
                let clock = try SoundClock.watching(soundPath, seconds: 1)
                let recording = try WAVRecording(soundPath)
                let onsets = Beeps.onsets(recording).map { clock.start + $0 }.filter {
                    $0 > began && $0 < began + seconds
                }
                guard onsets.count >= Int(seconds) - 2 else { throw VenueError("beeps at \(onsets)") }
                let offsets = onsets.map { FlashPhase.centred($0 - flashes.phase) }
                // The sender's pace is not even: each flash is some milliseconds off.
                #expect(flashes.contradictions * 10 <= looks.count, "\(flashes) of \(looks.count) looks")
                #expect((offsets.max() ?? 0) - (offsets.min() ?? 0) < 0.02, "\(offsets)")
                print("beeps after flashes, ms: \(offsets.map { ($0 * 1_000).rounded() }), ± \(flashes.uncertainty)")
                return (ToneAnalysis.median(offsets), flashes.uncertainty)
            }

            /// Frames of sound that were left out, and that were silent; pictures that were shown.
            var counters: [Int64] {
                get async throws {
                    try await box.counters(
                        "/sound/skippedFrames", "/sound/silenceFrames", "/stage/picturesPresented")
                }
            }

            /// - Parameter expected: how much later than the flashes the beeps are meant to be, in seconds, -0.4...0.4.
            func expectAligned(over seconds: Double, offset expected: Double = 0, _ when: Comment) async throws {
                let found = try await offset(over: seconds)
                #expect(found.uncertainty < 0.015, when)
                #expect(abs(found.offset - expected) <= 0.02, "\(when): \(found)")
                let stats = try await box.answer("stats")
                print("\(when): \(found), audioErrorUs \(stats.at("/stats/sound/audioErrorUs")?.integer ?? -1)")
            }
        }

        @Test func atTheStart() async throws {
            try await Interop.sideBySide([SoundCoding.aac, .mp2]) { try await playFromTheStart($0) }
        }

        private func playFromTheStart(_ sound: SoundCoding) async throws {
            try await TestVenue.open { venue in
                let scene = try await Scene(in: venue)
                let source = try await FlashAndBeep.make(seconds: 20, sound: sound, in: venue)
                try venue.start(
                    StreamTarget.paced([source.path]) + scene.target.output(kilobits: FlashAndBeep.kilobits),
                    name: "ffmpeg")
                try await scene.box.tune("One")
                try await Task.sleep(for: .seconds(3))  // the clock finds its place in the first two
                try await scene.expectAligned(over: 8, "with \(sound)")
                try Peer.ffmpeg.log(test: "alignment", checks: 8)
            }
        }

        /// How a head-end of a broadcaster multiplexes what ffmpeg has coded, and how much later the beeps are for it.
        private struct Multiplexing: Sendable {
            let name: String
            var offset = 0.0
            /// How long it is looked at.
            var seconds = 3.0
            let of: @Sendable (TransportStreamFile) -> TransportStreamFile
        }

        private static let multiplexings = [
            // Pictures up to 2.5 s before the sound of their instant (tsduck #1443), and behind it, as some encoders have it.
            Multiplexing(name: "sound 2.5 s later") { $0.sendingSound(later: 2_500) },
            Multiplexing(name: "sound 1.5 s earlier") { $0.sendingSound(later: -1_500) },
            // A decoder's buffer of 1.6 s: from empty to full in 3 s, and back.
            Multiplexing(name: "pictures earlier by what changes", seconds: 6) {
                $0.sendingPictures(earlier: { 0.85 - 0.75 * cos($0 * .pi / 3) })
            },
            Multiplexing(name: "fifteen pictures in a packet") { $0.joiningPictures(15) },
            Multiplexing(name: "sound stamped 1.2 s later", offset: 0.2) { $0.stampingSound(later: 1_200) },
        ]

        /// What multiplexers do of which we have none.
        @Test func multiplexed() async throws {
            try await Interop.sideBySide(Array(Self.multiplexings[..<2])) { try await play($0) }
            try await Interop.sideBySide(Array(Self.multiplexings[2...])) { try await play($0) }
        }

        private func play(_ multiplexing: Multiplexing) async throws {
            try await TestVenue.open { venue in
                let name = multiplexing.name
                let scene = try await Scene(in: venue)
                let source = try await FlashAndBeep.make(seconds: 30, in: venue)
                let file = multiplexing.of(try TransportStreamFile(source))
                let sender = try StreamSender(file, to: scene.target.group)
                defer { sender.end() }
                try await scene.box.tune("One")
                try await Task.sleep(for: .seconds(5))
                let before = try await scene.counters
                // What the clock was not set back at once it follows at 0.5 %: the flashes' period is not quite a second.
                try await scene.expectAligned(over: multiplexing.seconds, offset: multiplexing.offset, "\(name)")
                let after = try await scene.counters
                // Less than a tenth of a second: sound that is late was silent altogether.
                let counted = zip(after, before).map(-)
                #expect(counted[0] < 4_800 && counted[1] < 4_800, "\(name): \(counted)")
                let due = Int64(multiplexing.seconds) * Int64(CountedVideo.rate)
                #expect(counted[2] >= due - 1, "\(name): \(counted)")
                try Peer.ffmpeg.log(test: "alignment", checks: 5)
            }
        }

        /// The encoder starts anew, and its stream with its first picture, sound behind the pictures of its instant: both are
        /// in step from the first sound on, not only when the box has seen for some seconds that the stream has jumped.
        @Test func afterARestart() async throws {
            try await TestVenue.open { venue in
                let scene = try await Scene(in: venue)
                let source = try await FlashAndBeep.make(seconds: 30, in: venue)
                let file = try TransportStreamFile(source).sendingSound(later: 600)
                let sender = try StreamSender(file, to: scene.target.group)
                defer { sender.end() }
                try await scene.box.tune("One")
                for silence in [0, 300] as [Int64] {
                    try await Task.sleep(for: .seconds(4))
                    _ = try await sender.restart(after: .milliseconds(silence), from: file)
                    try await Task.sleep(for: .seconds(1.2))
                    try await scene.expectAligned(over: 2.2, "after a restart with \(silence) ms of silence")
                }
                try Peer.ffmpeg.log(test: "alignment", checks: 4)
            }
        }

        /// A sender's clock beyond what the standard allows: in half a minute 30 ms, were they not made good.
        @Test func withAnotherClock() async throws {
            try await Interop.sideBySide([1_000, -1_000]) { try await playByAnotherClock(partsPerMillion: $0) }
        }

        private func playByAnotherClock(partsPerMillion: Int) async throws {
            try await TestVenue.open { venue in
                let scene = try await Scene(in: venue)
                let seconds = Interop.playSeconds(usual: 30)
                let source = try await FlashAndBeep.make(seconds: Int(seconds) + 20, in: venue)
                let sender = try StreamSender(
                    TransportStreamFile(source), to: scene.target.group, partsPerMillion: partsPerMillion)
                defer { sender.end() }
                try await scene.box.tune("One")
                try await Task.sleep(for: .seconds(seconds - 8))
                // The flashes' period is not quite a second: few of them at a time.
                try await scene.expectAligned(over: 6, "\(partsPerMillion) ppm")
                let tone = try await scene.box.counters("/sound/underruns", "/sound/skippedFrames")
                #expect(tone[0] == 0, "\(tone)")
                try Peer.ffmpeg.log(test: "alignment", checks: 6)
            }
        }
    }
}
