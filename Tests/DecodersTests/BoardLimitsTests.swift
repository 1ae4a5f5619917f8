// SPDX-License-Identifier: Apache-2.0
import Codecs
import JSON
import Settings
import System
import Testing

@testable import Decoders

@Suite struct BoardLimitsTests {
    private static func file(_ compatible: String, _ instances: Int) -> String {
        #"{"compatible":["\#(compatible)"],"devices":[{"driver":"vpu","instances":\#(instances)}]}"#
    }

    /// The first name of a device tree is the board's, those behind it are its relatives'.
    @Test func theFileOfTheMostParticularName() throws {
        let boards = try Boards()
        try boards.add("chip.json", Self.file("maker,chip", 9))
        try boards.add("board.json", Self.file("maker,board", 3))
        try boards.add("other.json", Self.file("else,board", 1))
        let names = BoardLimits.names(inTree: Array("maker,board\0maker,chip\0".utf8))
        #expect(names == ["maker,board", "maker,chip"])
        let limits = BoardLimits(in: boards.folder, for: names)
        #expect(limits.file == "board.json" && limits.limits.devices == [.init(driver: "vpu", instances: 3)])
        #expect(limits.refusals.isEmpty)
        #expect(BoardLimits(in: boards.folder, for: ["maker,chip"]).file == "chip.json")
        let unknown = BoardLimits(in: boards.folder, for: ["nobody"])
        #expect(unknown.file == nil && unknown.limits == DecoderLimits())
    }

    @Test func everyCodecOfAFileIsOneOfOurs() {
        #expect(BoardDecoders.codecs == VideoCoding.allCases.map(\.rawValue))
    }

    @Test func withoutAnImage() throws {
        let limits = BoardLimits(in: "/nonexistent", for: ["maker,board"])
        #expect(limits.file == nil && limits.refusals.isEmpty)
    }

    @Test func whatIsNotSealedIsNotTaken() throws {
        let boards = try Boards()
        try boards.add("board.json", Self.file("maker,board", 3))
        try DurableFile.write(Array(Self.file("maker,board", 64).utf8), to: "\(boards.folder)/board.json")
        try DurableFile.write(Array(Self.file("maker,board", 64).utf8), to: "\(boards.folder)/more.json")
        let limits = BoardLimits(in: boards.folder, for: ["maker,board"])
        #expect(limits.file == nil && limits.limits == DecoderLimits())
        #expect(limits.refusals.map(\.file) == ["board.json"])
        #expect(limits.refusals.first?.problems.first?.expectation.hasPrefix("octets with the SHA-256 ") == true)
    }

    @Test func aBadFileLeavesTheDriversWord() throws {
        let boards = try Boards()
        try boards.add("board.json", #"{"compatible":["maker,board"],"devices":[{"driver":"vpu","instances":-1}]}"#)
        try boards.add("broken.json", "{")
        let limits = BoardLimits(in: boards.folder, for: ["maker,board"])
        #expect(limits.file == nil && limits.limits == DecoderLimits())
        #expect(
            limits.refusals.first?.json == [
                "file": "board.json",
                "problems": [
                    ["field": "/devices/0/instances", "value": -1, "expectation": "an integer, 0...64"]
                ],
            ])
        #expect(limits.refusals.map(\.file) == ["board.json", "broken.json"])
        try DurableFile.write(Array("?".utf8), to: "\(boards.folder)/SHA256SUMS")
        #expect(BoardLimits(in: boards.folder, for: ["maker,board"]).refusals.map(\.file) == ["SHA256SUMS"])
    }
}
