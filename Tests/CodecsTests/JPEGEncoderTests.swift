// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import TestSupport
import Testing

@testable import Codecs

@Suite struct JPEGEncoderTests {
    /// A ramp of luma from the left to the right, with chroma of one colour.
    private func ramp(width: Int, height: Int) -> PictureBuffer {
        let picture = PictureBuffer(width: width, height: height)
        for index in 0..<3 {
            let plane = picture.plane(index)
            for row in 0..<plane.height {
                for column in 0..<plane.width {
                    let value = index == 0 ? column * 255 / (plane.width - 1) : 128
                    picture.bytes[plane.offset + row * plane.stride + column] = UInt8(value)
                }
            }
        }
        return picture
    }

    /// Width and height in the frame header (ITU-T T.81 B.2.2); nil when the file is none.
    private func size(of file: [UInt8]) -> [Int]? {
        guard file.starts(with: [0xff, 0xd8]), file.suffix(2) == [0xff, 0xd9] else { return nil }
        var place = 2
        while place + 9 < file.count, file[place] == 0xff {
            if file[place + 1] == 0xc0 {
                return [7, 5].map { Int(file[place + $0]) << 8 | Int(file[place + $0 + 1]) }
            }
            place += 2 + (Int(file[place + 2]) << 8 | Int(file[place + 3]))
        }
        return nil
    }

    @Test func eachPictureIsAWholeFile() throws {
        let picture = ramp(width: 162, height: 90)
        let encoder = try JPEGEncoder(width: 162, height: 90, quality: 80)
        let first = try encoder.encode(picture)
        #expect(size(of: first) == [162, 90])
        for _ in 0..<20 { #expect(try encoder.encode(picture) == first) }
        let other = try JPEGEncoder(width: 162, height: 90, quality: 80)
        _ = try other.encode(PictureBuffer(width: 162, height: 90))
        #expect(try other.encode(picture) == first, "nothing of the picture before is left")
    }

    @Test func qualityCostsOctets() throws {
        let picture = PictureBuffer(width: 320, height: 180)
        var random = SplitMix64(seed: 7)
        for index in picture.bytes.indices { picture.bytes[index] = UInt8.random(in: 0...255, using: &random) }
        let counts = try [1, 50, 80, 100].map { quality in
            let encoder = try JPEGEncoder(width: 320, height: 180, quality: quality)
            return try encoder.encode(picture).count
        }
        #expect(counts == counts.sorted() && Set(counts).count == 4)
    }

    /// Read by ffmpeg, which takes a JPEG for one of full range as browsers do.
    @Test(.enabled(if: Required.file("ffmpeg"))) func ffmpegReadsTheSamePicture() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("touchline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // a leftover in /tmp hurts nobody
        let encoder = try JPEGEncoder(width: 256, height: 32, quality: 100)
        let (file, raw) = (folder.appendingPathComponent("a.jpg"), folder.appendingPathComponent("a.raw"))
        try Data(try encoder.encode(ramp(width: 256, height: 32))).write(to: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["ffmpeg", "-v", "error", "-nostdin", "-i", file.path, "-f", "rawvideo", "-pix_fmt", "rgb24", raw.path]
        try process.run()
        process.waitUntilExit()
        let pixels = [UInt8](try Data(contentsOf: raw))
        try #require(pixels.count == 256 * 32 * 3)
        let wrong = (0..<256 * 32 * 3).filter { abs(Int(pixels[$0]) - $0 / 3 % 256) > 4 }
        #expect(wrong.isEmpty)
    }
}
