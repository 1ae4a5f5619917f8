// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// "Shows 3" of the twelfth step: an incident leaves the box through a serial line.
    @Suite(.enabled(if: Peer.ffmpeg.isThere && Peer.lrzsz.isThere)) struct IncidentExportTests {
        /// By the console, on a line of 115,200 baud: the receiver dies on the way, asks again, and has the file, which is
        /// received again with the same counters.
        @Test func aFileIsSentThroughASerialLineAndGoesOn() async throws {
            try await TestVenue.open { venue in
                let target = StreamTarget()
                let video = try await CountedVideo.make(in: venue)
                let settings: JSONValue = ["channels": .array([target.json]), "recorder": ["keepsPayload": true]]
                let box = try await BoxProcess(settings, in: venue)
                try venue.start(
                    CountedVideo.ffmpeg + ["-re", "-stream_loop", "-1", "-i", video.path, "-c", "copy"]
                        + target.output(), name: "ffmpeg")
                try await box.tune(target.name)
                try await Task.sleep(for: .seconds(2))
                let incident = try box.ask("incident-record", ["note": "for the line"])
                let id = try #require(incident["id"]?.string)
                let octets = Int(try #require(incident["octets"]?.integer))
                #expect(octets > 200_000, "pictures are in it")

                let line = try await SerialLine.fetch(id, of: octets, from: box, in: venue)
                #expect(
                    line.kept > octets / 5 && line.kept < octets * 9 / 10,
                    "a part was there: \(line.kept) of \(octets)")

                let own = venue.directory.file("own.tli")
                _ = try await venue.succeed([
                    try Programs.path("touchline"), "--socket", box.socket, "incident-get", id, "--output", own,
                ])
                let whole = try Data(contentsOf: URL(filePath: own))
                #expect(try Data(contentsOf: URL(filePath: line.file)) == whole && whole.count == octets)
                let replay = try await venue.run([try Programs.path("touchline-replay"), line.file])
                let told = String(decoding: replay.output, as: UTF8.self)
                #expect(try await replay.exitCode(within: .zero) == 0, "\(told)\(replay.messages)")
                #expect(told.contains("identical"))
                let probed = try await venue.succeed([
                    "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0",
                    line.picture,
                ])
                let form = String(decoding: probed.output, as: UTF8.self)
                #expect(form == "png,640,360\n")
                try Peer.lrzsz.log(test: "incident and screenshot through a serial line", checks: 4)
            }
        }
    }
}
