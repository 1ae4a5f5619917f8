// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// "Shows 3" of the twelfth step (G-56): things go wrong in front of a box, and what it recorded of each is received
    /// again with the same counters.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct IncidentTests {
        private static let settings: JSONValue = [
            "announcements": ["missedIntervals": 3, "pruneMinimumMs": 3_000],
            "health": [
                "firstListenMs": 3_000, "noChannels": ["raiseMs": 0, "clearMs": 1_000],
                "poorQuality": ["windowMs": 2_000, "raiseMs": 0, "clearMs": 1_000],
            ],
        ]

        private func kinds(_ box: BoxProcess) throws -> [String: String] {
            let listed = try box.ask("incidents")["incidents"]?.array ?? []
            return Dictionary(
                listed.compactMap { row in
                    guard let kind = row["kind"]?.string, let id = row["id"]?.string else { return nil }
                    return (kind, id)
                }, uniquingKeysWith: { first, _ in first })
        }

        private func incident(_ kind: String, _ box: BoxProcess) async throws -> String {
            _ = try await eventually(within: .seconds(20)) { try kinds(box)[kind] != nil }
            guard let id = try kinds(box)[kind] else { throw VenueError("no incident of kind \(kind)") }
            return id
        }

        /// Receives again what was recorded.
        /// - Returns: what the program printed.
        private func replay(
            _ id: String, of state: String, atLeast datagrams: Int, in venue: TestVenue
        ) async throws -> String {
            let child = try await venue.run([try Programs.path("touchline-replay"), "\(state)/incidents/\(id).tli"])
            let text = String(decoding: child.output, as: UTF8.self)
            #expect(try await child.exitCode(within: .zero) == 0, "\(text)\(child.messages)")
            #expect(text.contains("identical") && !text.contains("differs"), "\(text)")
            let line = text.split(separator: "\n").first { $0.hasPrefix("channel ") } ?? ""
            let count = line.split(separator: " ").compactMap { Int($0) }.first ?? 0
            #expect(count >= datagrams, "\(line)")
            print("\(id): \(line)")
            return text
        }

        /// Each kind through a serial line, where everything is tried: they take minutes.
        private func sendAll(of box: BoxProcess, _ state: String, in venue: TestVenue) async throws {
            guard Interop.triesAll, Peer.lrzsz.isThere else { return }
            let kinds = try kinds(box)
            #expect(Set(kinds.keys) == ["command", "crash", "stall", "service"])
            for (_, id) in kinds {
                let kept = URL(filePath: "\(state)/incidents/\(id).tli")
                let octets = try Data(contentsOf: kept).count
                let line = try await SerialLine.fetch(id, of: octets, from: box, in: venue)
                #expect(FileManager.default.contentsEqual(atPath: line.file, andPath: kept.path))
                try Peer.lrzsz.log(test: "each kind of incident through a serial line", checks: 2)
            }
        }

        /// Who asks, what stalls, a service that is down and a box that is killed: over a relay that loses 3 % of a channel
        /// with protection windows.
        @Test func whatGoesWrongIsReplayedAlike() async throws {
            try await TestVenue.open { venue in
                let video = try await CountedVideo.make(in: venue)
                let (group, heard, via) = (Group(), Group(), Group().address)
                let channel = heard.json.merging(patch: [
                    "name": "One", "number": 1, "kind": "file", "file": .string(video.path), "via": .string(via),
                    "repair": [
                        "scheme": "windows", "sourcePackets": 40, "repairPackets": 8, "depth": 2, "spanMs": 800,
                    ],
                ])
                let streamer = try venue.headEnd([
                    "streamer": ["id": "incidents"], "license": BoxProcess.license,
                    "network": ["interface": "lo", "hops": 1],
                    "announcements": ["groups": [group.json], "intervalMs": 500], "channels": [channel],
                ])
                let relayed = [
                    "--from", "\(via):\(heard.port),\(heard.port + 2)", "--to", "\(heard.address):\(heard.port)",
                    "--loss", "3%",
                ]
                let relay = try await RelayProcess.start(relayed, in: venue)
                let settings = Self.settings.merging(patch: ["announcements": ["groups": [group.json]]])
                let (state, socket) = (venue.directory.file("state"), venue.directory.file("box.sock"))
                let box = try await BoxProcess(settings, state: state, socket: socket, in: venue)
                try await box.awaitChannel("One")
                try await box.tune("One")
                try await Task.sleep(for: .seconds(12))

                let asked = try box.ask("incident-record", ["note": "by a test"])
                let text = try await replay(
                    asked["id"]?.string ?? "", of: state, atLeast: 1_000, in: venue)
                #expect(text.contains("recoveredPackets"))

                // Killed while it plays: the next start finds what it recorded.
                box.process.signal(SIGKILL)
                _ = try await box.process.exitCode(within: .seconds(5))
                let next = try await BoxProcess(settings, state: state, socket: socket, in: venue)
                _ = try await replay(
                    try await incident("crash", next), of: state, atLeast: 1_000, in: venue)

                try await next.awaitChannel("One")
                try await next.tune("One")
                try await Task.sleep(for: .seconds(6))
                _ = try await relay.end()
                _ = try await replay(
                    try await incident("stall", next), of: state, atLeast: 500, in: venue)
                streamer.signal(SIGKILL)
                _ = try await replay(
                    try await incident("service", next), of: state, atLeast: 500, in: venue)
                try await sendAll(of: next, state, in: venue)
                #expect(try await next.counter("/recorder/failures") == 0)
                // Who stops leaves nothing in memory.
                next.process.signal(SIGTERM)
                _ = try await next.process.exitCode(within: .seconds(10))
                #expect(try FileManager.default.contentsOfDirectory(atPath: socket + ".recorder").isEmpty)
                try Peer.ffmpeg.log(test: "incidents", checks: 4)
            }
        }

        /// ffmpeg's own packets, without any repair.
        @Test func whatFfmpegSendsIsReplayedAlike() async throws {
            try await TestVenue.open { venue in
                let target = StreamTarget()
                let video = try await CountedVideo.make(in: venue)
                let state = venue.directory.file("state")
                let box = try await BoxProcess(["channels": .array([target.json])], state: state, in: venue)
                try venue.start(
                    CountedVideo.ffmpeg + ["-re", "-stream_loop", "-1", "-i", video.path, "-c", "copy"]
                        + target.output(), name: "ffmpeg")
                try await box.tune(target.name)
                try await Task.sleep(for: .seconds(8))
                let asked = try box.ask("incident-record")
                let text = try await replay(
                    asked["id"]?.string ?? "", of: state, atLeast: 1_000, in: venue)
                #expect(text.contains("pcrCount") && text.contains("randomAccessPoints"))
                let octets = try #require(asked["octets"]?.integer)
                #expect(octets < 256 << 10, "the essential part is all of it")
                // Its pictures are pictures.
                let parts = venue.directory.file("parts")
                let bundle = "\(state)/incidents/\(asked["id"]?.string ?? "").tli"
                try await venue.succeed([try Programs.path("touchline-replay"), "--extract", parts, bundle])
                let names = try FileManager.default.contentsOfDirectory(atPath: parts)
                let picture = try #require(names.first { $0.hasPrefix("picture-0-") }, "\(names)")
                let size = try await venue.succeed([
                    "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width", "-of", "csv=p=0",
                    "\(parts)/\(picture)",
                ])
                #expect(size.outputText.contains("mjpeg,320"), "\(size.outputText)")
                try Peer.ffmpeg.log(test: "incident of ffmpeg's stream", checks: 2)
            }
        }
    }
}
