// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@testable import TransportStream

@Suite struct ADTSTests {
    /// The first AAC frame header of Vectors/testsrc2.ts: LC, 48 kHz, mono.
    private let stream: [UInt8]
    private let frames: [Vector.Line]

    init() throws {
        let sink = RecordingSink.demultiplex(try Vector.bytes("testsrc2.ts")).sink
        stream = sink.audio.flatMap(\.bytes)
        frames = Vector.lines("audio", of: String(decoding: try Vector.bytes("testsrc2.csv"), as: UTF8.self))
    }

    private func sizes(_ pieces: [[UInt8]], _ splitter: inout ADTSSplitter) -> [Int] {
        var result: [Int] = []
        for piece in pieces {
            piece.withUnsafeBytes {
                splitter.push($0, pts: nil, lost: false) { _, bytes in result.append(bytes.count) }
            }
        }
        return result
    }

    @Test func readsWhatFFmpegSends() throws {
        let header = try stream.withUnsafeBytes { try ADTSHeader($0) }
        #expect(header.objectType == 2 && header.sampleRate == 48000 && header.channels == 1 && !header.hasCRC)
        #expect(header.frameLength == frames[0].size && header.sampleCount == 1024 && header.duration == 1920)
    }

    @Test(arguments: 0..<7) func throwsWhenCut(at length: Int) {
        let cut = Array(stream.prefix(length))
        #expect(throws: WireError.self) { try cut.withUnsafeBytes { try ADTSHeader($0) } }
    }

    @Test(arguments: [1, 3, 6, 7, 8, 100, 5000]) func joinsFramesOverPieces(of size: Int) {
        let pieces = stride(from: 0, to: stream.count, by: size).map {
            Array(stream[$0..<min(stream.count, $0 + size)])
        }
        var splitter = ADTSSplitter()
        #expect(sizes(pieces, &splitter) == frames.map(\.size))
        #expect(splitter.skippedBytes == 0 && splitter.resyncs == 0)
    }

    @Test func givesAFrameTheTimeOfTheUnitItBeginsIn() {
        let cut = frames[0].size + 5
        var splitter = ADTSSplitter()
        var times: [UInt64?] = []
        for (piece, pts) in [(stream[..<cut], UInt64(1000)), (stream[cut...], 90_000)] {
            Array(piece).withUnsafeBytes { bytes in
                splitter.push(bytes, pts: pts, lost: false) { frame, _ in times.append(frame.pts) }
            }
        }
        let expected: [UInt64?] = [1000, 1000 + 1920, 90_000, 90_000 + 1920]
        #expect(Array(times.prefix(4)) == expected)
    }

    @Test func findsTheNextFrameBehindDamage() {
        var splitter = ADTSSplitter()
        let garbage: [UInt8] = [0, 0xFF, 0xF1, 0, 0, 0xFF]
        let second = frames[0].size + frames[1].size
        var flags: [Bool] = []
        (Array(stream[..<second]) + garbage + Array(stream[second...])).withUnsafeBytes { bytes in
            splitter.push(bytes, pts: nil, lost: false) { frame, _ in flags.append(frame.followsLoss) }
        }
        // The frame before the garbage is given up with it: nothing confirms where it ends.
        #expect(flags.count == frames.count - 1 && flags.filter { $0 }.count == 1)
        #expect(splitter.resyncs >= 1 && splitter.skippedBytes == UInt64(frames[1].size + garbage.count))
    }

    @Test func dropsTheBeginningOfAFrameWhoseEndIsLost() {
        var splitter = ADTSSplitter()
        #expect(sizes([Array(stream[..<50])], &splitter).isEmpty)
        var count = 0
        stream.withUnsafeBytes { splitter.push($0, pts: nil, lost: true) { _, _ in count += 1 } }
        #expect(count == frames.count && splitter.skippedBytes == 50)
    }

    @Test func staysWithinDamagedBytes() {
        let piece = Array(stream.prefix(600))
        for seed in 0..<Mutation.count() {
            var mutation = Mutation(seed: UInt64(seed))
            var splitter = ADTSSplitter()
            let total = sizes([mutation.damage(piece), mutation.damage(piece)], &splitter).reduce(0, +)
            #expect(total <= 2 * (600 + 4 * 65), "seed \(seed)")
        }
    }
}
