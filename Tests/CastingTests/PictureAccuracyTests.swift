// SPDX-License-Identifier: Apache-2.0
import Codecs
import Conversion
import Foundation
import Media
import Scene
import TestSupport
import Testing

@testable import Casting

/// A screenshot against ffmpeg's own decoding and conversion of the same frame.
@Suite(.enabled(if: Required.file("/usr/bin/ffmpeg"))) struct PictureAccuracyTests {
    static let ffmpeg = "/usr/bin/ffmpeg"

    private func run(_ arguments: [String]) throws -> String {
        let (process, errors) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: Self.ffmpeg)
        process.arguments = ["-nostdin", "-hide_banner", "-y"] + arguments
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    /// `.fast` is what the stage draws with. `.accurate` interpolates chroma, which ffmpeg by itself does not.
    @Test(arguments: [PixelSize(width: 640, height: 360), PixelSize(width: 1_280, height: 720)])
    func unscaledPicturesEqualFFmpegs(size: PixelSize) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "touchline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // a leftover in /tmp fails no test
        var settings = VideoEncoder.Settings(
            width: size.width, height: size.height, rate: (25, 1), gop: 25, kilobitsPerSecond: 1_000)
        settings.isLowDelay = true
        var encoder = try VideoEncoder(settings)
        var card = try TestCard(size: size, rate: (25, 1), name: "Accuracy")
        var decoder = try VideoDecoder(.h264)
        var converter = VideoConverter(quality: .fast)
        let canvas = CanvasBuffer(width: size.width, height: size.height)
        var units: [[UInt8]] = []
        for number in 0..<20 {
            try card.draw(Int64(number), clock: "01:02:03.456") { picture in
                try encoder.encode(picture) { units.append(Array($0.bytes)) }
            }
        }
        try Data(units.joined()).write(to: folder.appending(path: "a.h264"))
        for (index, bytes) in units.enumerated() {
            let unit = AccessUnit(pts: Int64(index), dts: Int64(index), isRandomAccess: false, isDamaged: false)
            try bytes.withUnsafeBytes { try decoder.send(unit, $0) }
            while let frame = try decoder.receive() {
                try converter.draw(frame, in: PixelRectangle(x: 0, y: 0, size: size), of: canvas)
            }
        }
        try Data(try PNG.encode(canvas)).write(to: folder.appending(path: "ours.png"))
        let counter = FrameCounterCode.read(canvas)
        let number = try #require(counter)
        let path = folder.path
        _ = try run(["-i", "\(path)/a.h264", "-vf", "select=eq(n\\,\(number))", "-frames:v", "1", "\(path)/theirs.png"])
        let report = try run([
            "-i", "\(path)/ours.png", "-i", "\(path)/theirs.png", "-lavfi", "ssim", "-f", "null", "-",
        ])
        let text = try #require(report.split(separator: "All:").last?.prefix(6))
        let similarity = try #require(Double(text))
        #expect(similarity >= 0.99, "\(report)")
    }
}
