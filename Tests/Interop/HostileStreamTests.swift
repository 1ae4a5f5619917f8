// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// Streams that are wrong all along, by name: counted, bounded, and the picture is back within 1 s of good data.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct HostileStreamTests {
        private static let memoryLimit = 160_000

        private func scene(_ body: (BadInputScene) async throws -> Void) async throws {
            try await TestVenue.open { try await body(BadInputScene(in: $0)) }
        }

        /// One after the other, at the same box: none of them leaves anything behind that the next one would meet.
        @Test func faults() async throws {
            try await scene { scene in
                for fault in StreamFault.allCases { try await play(fault, in: scene) }
            }
        }

        private func play(_ fault: StreamFault, in scene: BadInputScene) async throws {
            let before = try scene.box.residentKilobytes
            let presented = try await scene.box.counter("/stage/picturesPresented")
            var earlier: [String: Int64] = [:]
            for counter in fault.counters { earlier[counter] = try await scene.box.counter(counter) }
            _ = try await scene.sender.send(scene.file.with(fault, seed: Interop.seed))
            try await Task.sleep(for: .seconds(Interop.playSeconds(usual: 2.5)))
            var counted: [String: Int64] = [:]
            for (counter, count) in earlier { counted[counter] = try await scene.box.counter(counter) - count }
            let during = try await scene.box.counter("/stage/picturesPresented") - presented
            let after = try scene.box.residentKilobytes
            print("\(fault): \(counted), \(during) pictures, \(before) kB before, \(after) kB after")
            #expect(
                counted.isEmpty || counted.values.contains { $0 > 0 }, "\(fault): \(counted), seed \(Interop.seed)")
            if fault.plays { #expect(during > 40, "\(fault): \(during) pictures in 2.5 s") }
            #expect(after - before < Self.memoryLimit, "\(fault): \(before) kB before, \(after) kB after")
            let good = try await scene.sender.send(scene.file)
            try await scene.expectPictureBack(good, test: "\(fault)")
            #expect(try scene.box.residentKilobytes - before < Self.memoryLimit, "\(fault)")
        }

        /// Joined in the middle of one endless group of pictures: no picture, no growth.
        @Test func neverARandomAccessPoint() async throws {
            try await scene { scene in
                let endless = try await CountedVideo.makeEndlessGroup(seconds: 20, in: scene.venue)
                let before = try scene.box.residentKilobytes
                _ = try await scene.sender.restart(
                    after: .milliseconds(100), from: TransportStreamFile(endless).withoutBeginning())
                try await Task.sleep(for: .seconds(Interop.playSeconds(usual: 4)))
                #expect(try scene.box.residentKilobytes - before < Self.memoryLimit)
                let good = try await scene.sender.send(scene.file)
                try await scene.expectPictureBack(good)
            }
        }

        /// Damage is to be held back, and no point comes at which everything is right: the box says so, and shows after a while
        /// what there is.
        @Test func heldWithoutAPoint() async throws {
            try await TestVenue.open { venue in
                let endless = try await CountedVideo.makeEndlessGroup(
                    seconds: 20, repeatsParameterSets: true, in: venue)
                let group = Group()
                let sender = try StreamSender(TransportStreamFile(endless).withoutBeginning(), to: group)
                defer { sender.end() }
                let box = try await BoxProcess(
                    [
                        "channels": [group.json.merging(patch: ["name": "One"])], "playback": ["damage": "hold"],
                    ], in: venue)
                _ = try await box.answer("tune", "One")
                var why: [String] = []
                let isShown = try await eventually(within: .seconds(12)) {
                    why.append(try box.ask("status")["noPictureBecause"]?.string ?? "")
                    return try await box.counter("/stage/picturesPresented") > 25
                }
                #expect(isShown, "\(Set(why))")
                #expect(why.contains { !$0.isEmpty })
                try Peer.ffmpeg.log(test: #function, checks: 2)
            }
        }

        /// 33 bits of 90 kHz are full after 26.5 hours: nothing is to be seen of it.
        @Test func timeStampsWrap() async throws {
            try await TestVenue.open { venue in
                // The wrap comes 5.7 s behind the beginning.
                let video = try await CountedVideo.make(seconds: 30, offset: 95_438, in: venue)
                let group = Group()
                let box = try await BoxProcess(["channels": [group.json.merging(patch: ["name": "One"])]], in: venue)
                let sender = try StreamSender(TransportStreamFile(video), to: group)
                defer { sender.end() }
                try await box.tune("One")
                try await Task.sleep(for: .seconds(2))
                let looks = try await CounterLooks.take(
                    60, of: try ControlSocket(box.socket), pause: 0.1, in: venue)
                #expect(looks.isSteady && looks.looks.count == 60, "\(looks)")
                let last = looks.looks.last?.number ?? 0
                #expect(last > 150, "the wrap was not reached: \(last)")
                let rests = try await box.counters(
                    "/playback/timestampJumps", "/playback/decodeErrors", "/sound/underruns")
                #expect(rests == [0, 0, 0])
            }
        }

        /// The map says that the Opus stream has channels that there are none of.
        @Test func sixteenChannelsAnnounced() async throws {
            try await scene { scene in
                let video = try await CountedVideo.make(.h264, seconds: 9, in: scene.venue)
                let path = scene.venue.directory.file("sixteen.ts")
                try await scene.venue.succeed(
                    CountedVideo.ffmpeg + [
                        "-i", video.path, "-i", try await SoundCoding.opus.makeTone(seconds: 9, in: scene.venue), "-c",
                        "copy", "-muxrate", "\(CountedVideo.kilobits)k", path,
                    ])
                let file = try TransportStreamFile(CountedVideo(path: path, frameCount: video.frameCount))
                let before = try await scene.box.counter("/stage/picturesPresented")
                _ = try await scene.sender.send(file.announcing(opusChannels: 16))
                try await Task.sleep(for: .seconds(2.5))
                // Sound that cannot be played is no reason not to show pictures.
                #expect(try await scene.box.counter("/stage/picturesPresented") - before > 40)
                let good = try await scene.sender.send(scene.file)
                try await scene.expectPictureBack(good)
            }
        }

        /// A quarter of a second of a film is zeros: it goes on behind them, to its end.
        @Test func aFileWithADamagedPlace() async throws {
            try await TestVenue.open { venue in
                let video = try await CountedVideo.make(.h264, seconds: 8, in: venue)
                let path = venue.directory.file("damaged.mp4")
                try await venue.succeed(
                    CountedVideo.ffmpeg + ["-i", video.path, "-c", "copy", "-movflags", "+faststart", path])
                guard var octets = FileManager.default.contents(atPath: path) else { throw VenueError("no \(path)") }
                let place = octets.count / 3
                octets.replaceSubrange(place..<place + 65_536, with: Data(count: 65_536))
                try octets.write(to: URL(fileURLWithPath: path))
                let film: JSONValue = ["name": "Film", "items": [["file": .string(path), "title": "damaged"]]]
                let box = try await BoxProcess(
                    ["playback": ["autoPlay": true], "playlists": [film]], in: venue)
                _ = try await box.answer("playlist", "Film")
                let isBehind = try await eventually(within: .seconds(10)) {
                    try await box.counter("/stage/presentedPTS") > 6 * 90_000
                }
                let counters = try await box.counters("/playback/readErrors", "/stage/picturesPresented")
                #expect(isBehind && counters[0] > 0 && counters[1] > 4 * 25, "\(counters)")
                try Peer.ffmpeg.log(test: #function, checks: 1)
            }
        }
    }
}
