// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Measuring
import Testing

extension Interop {
    /// Pictures and sound in RTP sessions of their own, announced by who sends them: seen and heard as they were sent.
    @Suite(.enabled(if: Peer.ffmpeg.isThere && Peer.hasNamespaces)) struct ElementaryStreamTests {
        private static let announced: JSONValue = [
            "announcements": ["groups": [["address": "224.2.127.254"], ["address": "239.255.255.255"]]]
        ]

        private struct Scene {
            let venue: TestVenue
            let box: BoxProcess
            let soundPath: String

            init(in venue: TestVenue, width: Int64 = 640, height: Int64 = 360) async throws {
                self.venue = venue
                soundPath = venue.directory.file("heard.wav")
                box = try await BoxProcess(
                    ElementaryStreamTests.announced.merging(patch: [
                        "sound": ["kind": "wav", "wavPath": .string(soundPath)],
                        "output": ["width": .integer(width), "height": .integer(height)],
                    ]), in: venue)
            }

            /// What is seen is the picture that its number says, several times.
            func seesPictures(of video: CountedVideo, count: Int = 4, _ what: Comment) async throws {
                var paths: [String] = []
                for index in 0..<count {
                    try await Task.sleep(for: .milliseconds(690))
                    paths.append(try await box.screenshot("shot-\(index).png"))
                }
                let shots = try await Screenshots(paths, in: venue)
                let likeness = try await shots.likeness(to: video)
                let worst = likeness.values.min() ?? 0
                #expect(likeness.count == count && worst >= 0.98, "\(what): \(shots.numbers), \(likeness)")
            }

            /// The last seconds are the tone without a break.
            func hearsTone(_ what: Comment) throws {
                let tone = ToneAnalysis(try WAVRecording(soundPath).last(3), nominal: Double(SoundCoding.hertz))
                #expect(abs(tone.frequency - Double(SoundCoding.hertz)) < 1, "\(what): \(tone.frequency) Hz")
                #expect(tone.amplitude > 0.2 && tone.clicks.isEmpty && tone.gaps.isEmpty, "\(what): \(tone)")
            }

            func restsWell(_ what: Comment) async throws {
                let rests = try await box.counters(
                    "/playback/damagedFrames", "/playback/decodeErrors", "/playback/timestampJumps",
                    "/sound/decodeErrors", "/stage/drawErrors", "/reception/lostPackets",
                    "/reception/tsDiscontinuities", "/reception/droppedUnits", "/reception/malformedDatagrams",
                    "/reception/clockJumps")
                #expect(rests.allSatisfy { $0 == 0 }, "\(what): \(rests)")
            }
        }

        /// Files without end, sent as they are.
        private static func looped(_ paths: [String]) -> [String] {
            let inputs: [String] = paths.flatMap { ["-re", "-stream_loop", "-1", "-i", $0] }
            let maps: [String] = paths.indices.flatMap { ["-map", "\($0)"] }
            return ["ffmpeg", "-nostdin", "-loglevel", "error"] + inputs + maps + ["-c", "copy"]
        }

        private static let destination = [
            "-metadata", "title=One", "-f", "sap", "sap://239.255.1.7:5004?ttl=1",
        ]

        /// Parameter sets in the description alone, pictures out of order; the rewound ones as well.
        @Test func picturesAndSound() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let scene = try await Scene(in: venue)
                let video = try await CountedVideo.make(.h264, seconds: 40, in: venue)
                let tone = try await SoundCoding.aac.makeTone(seconds: 40, in: venue)
                try venue.start(Self.looped([video.path, tone]) + Self.destination, name: "ffmpeg")
                try await scene.box.awaitChannel("One", within: .seconds(15))
                let channel = try await scene.box.answer("channels")["channels"]?.array?.first
                #expect(channel?["encapsulation"] == "elementary" && channel?["port"] == 5_004)
                try await scene.box.tune("One")
                try await scene.seesPictures(of: video, "live")
                try await Task.sleep(for: .seconds(4))
                try scene.hearsTone("live")
                let reports = try await scene.box.counters(
                    "/reception/senderReports", "/reception/doubtfulSenderReports")
                #expect(reports[0] > 0 && reports[1] == 0, "\(reports)")
                _ = try await scene.box.answer("seek-absolute", "5000")
                try await scene.seesPictures(of: video, "rewound")
                try await scene.restsWell("pictures and sound")
                let stats = try await scene.box.answer("stats")
                print("elementary: \(stats.at("/stats/reception")?.text() ?? "")")
                try Peer.ffmpeg.log(test: "elementary", checks: 10)
            }
        }

        @Test func picturesAlone() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let scene = try await Scene(in: venue)
                let video = try await CountedVideo.make(.h264, seconds: 40, in: venue)
                try venue.start(Self.looped([video.path]) + Self.destination, name: "ffmpeg")
                try await scene.box.awaitChannel("One", within: .seconds(15))
                try await scene.box.tune("One")
                try await scene.seesPictures(of: video, "pictures alone")
                try await scene.restsWell("pictures alone")
                try Peer.ffmpeg.log(test: "elementary", checks: 4)
            }
        }

        @Test func soundAlone() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let scene = try await Scene(in: venue)
                let tone = try await SoundCoding.aac.makeTone(seconds: 40, in: venue)
                try venue.start(Self.looped([tone]) + Self.destination, name: "ffmpeg")
                try await scene.box.awaitChannel("One", within: .seconds(15))
                _ = try await scene.box.answer("tune", "One")  // `status` waits for a picture
                try await Task.sleep(for: .seconds(8))
                try scene.hearsTone("sound alone")
                try await scene.restsWell("sound alone")
                try Peer.ffmpeg.log(test: "elementary", checks: 1)
            }
        }

        /// What VLC makes of a transport stream when nobody tells it a multiplex.
        @Test(.enabled(if: Peer.vlc.isThere)) func vlcSendsPicturesAndSound() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let scene = try await Scene(in: venue)
                let video = try await CountedVideo.make(in: venue)
                let home = try FileManager.default.nobodysHome(in: venue.directory)
                try venue.start(
                    [
                        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "HOME=\(home)",
                        "cvlc", "-I", "dummy", "--repeat", video.path, "--sout",
                        "#rtp{dst=239.255.1.8,port=5004,sap,name=One,ttl=1}",
                    ], name: "vlc")
                try await scene.box.awaitChannel("One", within: .seconds(15))
                // VLC announces what it has: on a busy machine the sound alone, and the pictures a moment later.
                try await scene.box.tune("One")
                try await scene.seesPictures(of: video, "VLC")
                let isHeard = try await eventually(within: .seconds(10)) {
                    try await scene.box.counter("/sessionSound/peakCentidecibels") > -3_000
                }
                #expect(isHeard)
                let rests = try await scene.box.counters(
                    "/playback/damagedFrames", "/playback/decodeErrors",
                    "/lineUp/channelsPruned")  // VLC deletes a session as it announces the next one
                #expect(rests == [0, 0, 0])
                // At most the unit within which it was joined.
                #expect(try await scene.box.counter("/reception/droppedUnits") <= 1)
                let stats = try await scene.box.answer("stats")
                print("elementary by VLC: \(stats.at("/stats/reception")?.text() ?? "")")
                try Peer.vlc.log(test: "elementary", checks: 5)
            }
        }

        /// Flashes and beeps of one instant stay so, by the sender's reports.
        @Test func soundIsInStep() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let scene = try await Scene(in: venue, width: 128, height: 72)
                let made = try await FlashAndBeep.make(seconds: 40, in: venue)
                let source = venue.directory.file("flash.mkv")
                try await venue.succeed(CountedVideo.ffmpeg + ["-i", made.path, "-c", "copy", source])
                try venue.start(Self.looped([source]) + Self.destination, name: "ffmpeg")
                try await scene.box.awaitChannel("One", within: .seconds(15))
                try await scene.box.tune("One")
                let areReported = try await eventually(within: .seconds(10)) {
                    try await scene.box.counter("/reception/senderReports") >= 2
                }
                #expect(areReported, "not both streams are reported")
                try await Task.sleep(for: .seconds(2.5))  // the clock finds its place
                let socket = try ControlSocket(scene.box.socket)
                let began = ControlSocket.now()
                let flashes = FlashPhase(try await FlashPhase.looks(at: socket, seconds: 8, in: venue))
                let clock = try SoundClock.watching(scene.soundPath, seconds: 1)
                let onsets = Beeps.onsets(try WAVRecording(scene.soundPath)).map { clock.start + $0 }
                let offsets = onsets.filter { $0 > began && $0 < began + 8 }.map {
                    FlashPhase.centred($0 - flashes.phase)
                }
                print("elementary: beeps after flashes, ms: \(offsets.map { ($0 * 1_000).rounded() })")
                #expect(offsets.count >= 6 && flashes.uncertainty < 0.02, "\(flashes)")
                #expect(abs(ToneAnalysis.median(offsets)) <= 0.03, "\(offsets)")
                try Peer.ffmpeg.log(test: "elementary", checks: offsets.count)
            }
        }
    }
}
