// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import Testing

@testable import Playback

/// Files whose octets are wrong (`media.md` 8).
@Suite struct FileReaderTests {
    /// Six seconds: 150 pictures of HEVC, among the blocks of two streams of sound.
    private static let film = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../ContainersTests/Vectors/long.mp4").standardizedFileURL
    /// Where the media end, and what describes them begins.
    private static let descriptions = 53_528
    /// Where the descriptions of the two streams of sound begin.
    private static let soundBoxes = [56_872, 60_841]

    /// Reads the film, with 0xFF in place of some octets, until there is nothing more.
    /// - Parameter hasSound: whether the descriptions of its sound are there.
    private func read(wrong: Range<Int>, hasSound: Bool = true) throws -> RecordingSink {
        var octets = [UInt8](try Data(contentsOf: Self.film))
        for place in wrong { octets[place] = 0xFF }
        for box in Self.soundBoxes where !hasSound {
            let type = Array(octets[box + 4..<box + 8])
            try #require(type == Array("trak".utf8))
            octets.replaceSubrange(box + 4..<box + 8, with: Array("skip".utf8))
        }
        let copy = FileManager.default.temporaryDirectory.appending(path: "touchline-\(UUID().uuidString)-long.mp4")
        defer { try? FileManager.default.removeItem(at: copy) }  // a leftover in /tmp fails no test
        try Data(octets).write(to: copy)
        let sink = RecordingSink()
        let reader = try FileProvider(path: copy.path).open(into: sink)
        for _ in 0..<10_000 {
            let progress = try reader.advance()
            if progress == .ended { return sink }
            try #require(progress == .progressed)
        }
        Issue.record("no end")
        return sink
    }

    /// Thirty pictures begin in the damaged place, and nothing else is lost.
    @Test func aFileGoesOnBehindADamagedPlace() throws {
        let whole = try read(wrong: 0..<0)
        let times = whole.pictures.map(\.unit.pts)
        try #require(times.count == 150 && whole.counters.readErrors == 0)
        let damaged = try read(wrong: 20_000..<30_000)
        let expected = Array(times[..<56]) + Array(times[86...])
        #expect(damaged.pictures.map(\.unit.pts) == expected)
        #expect(damaged.counters.readErrors == 30)
    }

    /// Of the 116 pictures behind the place, those at the end of the file are not even tried.
    @Test func aFileThatIsWrongToItsEndEnds() throws {
        let damaged = try read(wrong: 12_000..<Self.descriptions, hasSound: false)
        #expect(damaged.streams.map(\.codec) == ["hevc"])
        #expect(damaged.pictures.count == 34)
        #expect(damaged.counters.readErrors == 100)
    }
}
