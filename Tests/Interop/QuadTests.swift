// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// "Shows 2": four live channels at once, each known by its own numbers, and layouts that change while they play.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct QuadTests {
        private static let regions = ["main", "second", "third", "fourth"]
        private static let changes = Interop.isSoak ? 100 : 50
        /// Of the pictures of main: the README's limit, ten in a hundred changes.
        private static let droppedAtMost = Int64(changes / 10)
        /// Numbers of a channel begin at its place times this.
        private static let numbers = 4_096

        /// A stage of four counted pictures, one to one, and a sender for each.
        private func withFourChannels(_ body: (TestVenue, BoxProcess, [CountedVideo]) async throws -> Void) async throws
        {
            try await TestVenue.open { venue in
                var (channels, wall, videos): ([JSONValue], [JSONValue], [CountedVideo]) = ([], [], [])
                for (index, region) in Self.regions.enumerated() {
                    let target = StreamTarget(
                        name: "Channel \(index)", encapsulation: index.isMultiple(of: 2) ? .rtp : .raw)
                    let video = try await CountedVideo.make(seconds: 20, from: index * Self.numbers, in: venue)
                    try venue.start(
                        [
                            "ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-stream_loop", "-1", "-i", video.path,
                            "-c", "copy",
                        ]
                            + target.output(), name: target.name)
                    videos.append(video)
                    channels.append(target.json)
                    wall.append([
                        "name": .string(region), "channel": .string(target.name),
                        "x": .integer(Int64(index % 2 * 5_000)), "y": .integer(Int64(index / 2 * 5_000)),
                        "width": 5_000,
                        "height": 5_000,
                    ])
                }
                let beside: JSONValue = [
                    "name": "beside", "regions": .array([["name": "main"], wall[1].merging(patch: ["order": 1])]),
                ]
                let box = try await BoxProcess(
                    [
                        "channels": .array(channels), "output": ["width": 1_280, "height": 720, "layout": "wall"],
                        "layouts": [["name": "wall", "regions": .array(wall)], beside],
                    ], in: venue)
                try await body(venue, box, videos)
            }
        }

        private func awaitPictures(_ box: ControlSocket) async throws {
            let plays = try await eventually(within: .seconds(20)) {
                let stats = try box.ask("stats").result
                return Self.regions.allSatisfy { region in
                    (stats.at("/stats/regions/\(region)/stage/picturesPresented")?.integer ?? 0) > 0
                }
            }
            guard plays else { throw VenueError("not all of four play: \(try box.ask("stats").result)") }
        }

        /// G-19: at random instants each quarter shows the picture that its number says, of its own channel.
        @Test func fourChannels() async throws {
            try await withFourChannels { venue, box, videos in
                let socket = try ControlSocket(box.socket)
                try await awaitPictures(socket)
                var random = SplitMix64(seed: Interop.seed)
                var paths: [String] = []
                for index in 0..<8 {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 200...900, using: &random)))
                    paths.append(try await box.screenshot("quad-\(index).png"))
                }
                var worst = 1.0
                for (place, video) in videos.enumerated() {
                    let filter = "crop=640:360:\(place % 2 * 640):\(place / 2 * 360)"
                    let shots = try await Screenshots(paths, through: filter, in: venue)
                    let numbers = shots.numbers.compactMap { $0 }
                    #expect(numbers.count == paths.count, "no number in some of \(shots.numbers), seed \(Interop.seed)")
                    #expect(numbers.allSatisfy { $0 / Self.numbers == place }, "place \(place) shows \(numbers)")
                    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 != $1 }, "the picture stands: \(numbers)")
                    let likeness = try await shots.likeness(to: video)
                    worst = min(worst, likeness.values.min() ?? 0)
                }
                #expect(worst >= 0.98, "SSIM, seed \(Interop.seed)")
                let errors = try await box.counters("/stage/drawErrors", "/playback/decodeErrors")
                #expect(errors == [0, 0])
                print("four channels: \(paths.count) pictures of each, worst SSIM \(worst)")
                try Peer.ffmpeg.log(test: "quad", checks: paths.count * videos.count)
            }
        }

        /// Sessions come and go, regions move, and nothing is ever black; what plays in main plays on.
        @Test func layoutChanges() async throws {
            try await withFourChannels { venue, box, _ in
                let socket = try ControlSocket(box.socket)
                try await awaitPictures(socket)
                let session = try socket.ask("status").result["session"]
                let names = ["full", "wall", "beside", "pip", "quad"]
                var random = SplitMix64(seed: Interop.seed)
                var paths: [String] = []
                for index in 0..<Self.changes {
                    let name = names[Int.random(in: 0..<names.count, using: &random)]
                    let duration = Int64([0, 40, 120][Int.random(in: 0..<3, using: &random)])
                    _ = try socket.ask(
                        "layout", ["name": .string(name), "transition": "fade", "durationMs": .integer(duration)])
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...80, using: &random)))
                    guard
                        let picture = try socket.ask("screenshot").result["png"]?.string
                            .flatMap({ Data(base64Encoded: $0) })
                    else { throw VenueError("no picture in the answer") }
                    paths.append(venue.directory.file("change-\(index)-\(name).png"))
                    try picture.write(to: URL(fileURLWithPath: paths[index]))
                }
                for place in 0..<4 {
                    let filter = "scale=1280:720,crop=640:360:\(place % 2 * 640):\(place / 2 * 360)"
                    for first in stride(from: 0, to: paths.count, by: 20) {
                        let part = Array(paths[first..<min(paths.count, first + 20)])
                        let shots = try await Screenshots(part, through: filter, in: venue)
                        let black = part.indices.filter { shots.isBlack($0) }.map { part[$0] }
                        #expect(black.isEmpty, "quarter \(place), seed \(Interop.seed)")
                    }
                }
                #expect(try socket.ask("status").result["session"] == session, "main played on")
                _ = try socket.ask("layout", ["name": "wall"])
                try await awaitPictures(socket)
                let looks = try await Self.numbers(of: box, in: venue)
                #expect(looks.first != looks.last && looks.allSatisfy { ($0 ?? -1) / Self.numbers == 0 }, "\(looks)")
                let stats = try socket.ask("stats").result
                let counts = ["picturesPresented", "picturesLate", "starvations"].map {
                    stats.at("/stats/regions/main/stage/\($0)")?.integer ?? -1
                }
                #expect(stats.at("/stats/stage/drawErrors") == 0 && stats.at("/stats/playback/decodeErrors") == 0)
                let missed = stats.at("/stats/stage/framesMissed")?.integer ?? -1
                print(
                    "\(Self.changes) layouts: of main \(counts[0]) pictures, \(counts[1]) dropped, \(counts[2]) starvations;"
                        + " \(missed) frames of fades missed")
                #expect(counts[1] <= Self.droppedAtMost)
                try Peer.ffmpeg.log(test: "layouts", checks: paths.count)
            }
        }

        /// The channels whose pictures stand in the quarters of the stage; nil where no picture does.
        private static func quarters(of box: BoxProcess, in venue: TestVenue) async throws -> [Int?] {
            let path = try await box.screenshot("quarters.png")
            var channels: [Int?] = []
            for place in 0..<4 {
                let filter = "crop=640:360:\(place % 2 * 640):\(place / 2 * 360)"
                channels.append(try await channel(on: path, through: filter, in: venue))
            }
            return channels
        }

        /// A slate has the number 0, or none.
        private static func channel(on path: String, through filter: String, in venue: TestVenue) async throws -> Int? {
            let shots = try await Screenshots([path], through: filter, in: venue)
            guard let number = shots.numbers[0], number > 0 else { return nil }
            return number / Self.numbers
        }

        /// MEET-46: each tile of a gallery shows the pictures of its own channel. Through a viewport one of them is
        /// seen all over the stage, then the one beside it, and then all as before.
        @Test func galleryThroughAViewport() async throws {
            try await withFourChannels { venue, box, _ in
                let socket = try ControlSocket(box.socket)
                try await awaitPictures(socket)
                // In another order than that of the layout at start.
                let channels = (0..<4).reversed().map { "Channel \($0)" }.joined(separator: ",")
                _ = try socket.ask("gallery", ["channels": .string(channels)])
                func showAll() async throws -> Bool {
                    try await eventually(within: .seconds(20)) {
                        try await Self.quarters(of: box, in: venue) == [3, 2, 1, 0]
                    }
                }
                func showsAlone(_ channel: Int) async throws -> Bool {
                    try await eventually(within: .seconds(20)) {
                        let path = try await box.screenshot("alone.png")
                        return try await Self.channel(on: path, through: "scale=640:360", in: venue) == channel
                    }
                }
                let isGallery = try await showAll()
                #expect(isGallery)
                let part = try socket.ask("viewport", ["region": "tile3"]).result
                #expect(part == ["x": 0, "y": 5_000, "width": 5_000, "height": 5_000])
                let isThird = try await showsAlone(1)
                #expect(isThird)
                #expect(try socket.ask("viewport", ["pan": "right"]).result["x"] == 5_000)
                let isFourth = try await showsAlone(0)
                #expect(isFourth)
                _ = try socket.ask("viewport", ["x": 0, "y": 0, "width": 10_000, "height": 10_000])
                let isBack = try await showAll()
                #expect(isBack)
                #expect(try await box.counters("/stage/drawErrors", "/playback/decodeErrors") == [0, 0])
                try Peer.ffmpeg.log(test: "gallery", checks: 4)
            }
        }

        /// Of main, two looks.
        private static func numbers(of box: BoxProcess, in venue: TestVenue) async throws -> [Int?] {
            var paths: [String] = []
            for index in 0..<2 {
                try await Task.sleep(for: .milliseconds(400))
                paths.append(try await box.screenshot("main-\(index).png"))
            }
            return try await Screenshots(paths, through: "crop=640:360:0:0", in: venue).numbers
        }
    }
}
