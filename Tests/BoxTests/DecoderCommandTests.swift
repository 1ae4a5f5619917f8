// SPDX-License-Identifier: Apache-2.0
import Codecs
import JSON
import System
import Testing

import class Foundation.FileManager

@testable import Box

struct DecoderCommandTests {
    /// Writes boards' files and their checksum manifest.
    static func manifest(_ files: [(name: String, text: String)], in folder: String) throws {
        var manifest = ""
        try DurableFile.makeDirectory(folder)
        for file in files {
            try DurableFile.write(Array(file.text.utf8), to: "\(folder)/\(file.name)")
            manifest += try "\(Digest.sha256(Array(file.text.utf8)))  \(file.name)\n"
        }
        try DurableFile.write(Array(manifest.utf8), to: "\(folder)/SHA256SUMS")
    }

    /// SVM-23: by event, statistics and command of a whole box.
    @Test func aBoxTellsOfIt() throws {
        let boards = "/tmp/touchline-boards-" + (try BoxIdentity.random())
        defer { try? FileManager.default.removeItem(atPath: boards) }  // a leftover in /tmp hurts nobody
        let file = #"{"compatible":["maker,board"],"devices":[{"driver":"vpu","instances":2}]}"#
        try Self.manifest([("board.json", file), ("wrong.json", "{}")], in: boards)
        let box = try RunningBox(["output": ["width": 320, "height": 180], "log": ["level": "error"]]) { options in
            options.boards = boards
            options.machine = ["maker,board"]
            options.decoders = { .devices(["/dev/video1"], driver: "vpu", software: [.h264]) }
        }
        let answer = try box.await("decoders") { $0["decoders"] != nil }
        #expect(answer["decoders"]?.array?.count == 2)
        let row = answer["decoders"]?.array?.first
        #expect(row?["instances"] == 2 && row?["board"] == "board.json" && row?["use"] == "yes")
        #expect(box.client("decoders").output.contains("/dev/video1"))
        #expect(try box.answer("stats")["stats"]?["decoders"]?["h264"]?["instances"] == 2)
        let events = try box.answer("events")["events"]?.array ?? []
        let told = events.first { $0["type"] == "service.decodersRefused" }?["payload"]
        #expect(told?["file"] == "wrong.json" && told?["problems"]?.array?.count == 2)
        #expect(box.end() == .ok)
    }
}
