// SPDX-License-Identifier: Apache-2.0
import JSON
import System
import Testing

import class Foundation.FileManager
import struct Foundation.URL

@testable import Box
@testable import Codecs

struct DecoderLicenceTests {
    /// SVM-24: a device whose board demands a licence is used with that file alone, and else libavcodec decodes.
    @Test(arguments: [nil, "bought", "forged"] as [String?])
    func aDecoderThatNeedsALicence(text: String?) throws {
        let boards = "/tmp/touchline-boards-" + (try BoxIdentity.random())
        defer { try? FileManager.default.removeItem(atPath: boards) }  // a leftover in /tmp hurts nobody
        let licence = boards + "/vpu.licence"
        let digest = try Digest.sha256(Array("bought".utf8))
        let file =
            #"{"compatible":["maker,board"],"devices":[{"driver":"vpu","licence":{"file":"\#(licence)","sha256":"\#(digest)"}}]}"#
        try DecoderCommandTests.manifest([("board.json", file)], in: boards)
        if let text { try DurableFile.write(Array(text.utf8), to: licence) }
        let clip = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../TransportStreamTests/Vectors/testsrc2.ts").standardizedFileURL.path
        let box = try RunningBox([
            "network": ["interface": "lo"], "announcements": ["groups": []], "log": ["level": "error"],
            "output": ["width": 320, "height": 180], "sound": ["kind": "null"], "playback": ["autoPlay": true],
            "playlists": [["name": "Clip", "items": [["file": .string(clip)]]]],
        ]) { options in
            options.boards = boards
            options.machine = ["maker,board"]
            options.decoders = { .devices(["/dev/video1"], driver: "vpu", software: [.h264]) }
            // Where the device is asked it turns out to be gone, so that libavcodec decodes in any case.
            options.decoderOpener = { (_, _, _) throws(DecoderFault) -> any DeviceDecoder in throw .gone }
        }
        let rows = try box.await("decoders") { $0["decoders"]?.array?.count == 2 }["decoders"]?.array ?? []
        let expected =
            switch text {
            case nil: "not used: licence \(licence) is missing"
            case "bought": "yes"
            default: "not used: licence \(licence) is another one"
            }
        #expect(rows.first?["use"] == .string(expected) && rows.last?["use"] == "yes")
        #expect(try box.answer("playlist", "Clip")["errorString"] == nil)
        let stats = try box.await("stats") { $0.at("/stats/playback/framesDecoded")?.integer ?? 0 > 3 }
        #expect(stats.at("/stats/playback/decoderTier") == 1)
        let events = try box.answer("events")["events"]?.array ?? []
        let reasons = events.filter { $0["type"] == "session.decoder" }.compactMap { $0.at("/payload/reason")?.string }
        #expect(reasons == [text == "bought" ? "hardware: gone" : "hardware: no licence"])
        #expect(box.end() == .ok)
    }
}
