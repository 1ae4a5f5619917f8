// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import System
import TestSupport
import Testing
import Time

@testable import Codecs

/// Coded pictures of 640 x 360, BT.709 in limited range (CodecsTests/Vectors/README.md), and what the reference decoder
/// makes of them.
struct FWHTClip {
    static let (width, height) = (640, 360)
    /// Pictures from one that stands for itself to the next.
    static let group = 5

    let units: [[UInt8]]
    private let sums: [UInt64]

    /// - Parameter count: of the 16.
    init(count: Int) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../CodecsTests/Vectors").standardizedFileURL
        let stream = [UInt8](try Data(contentsOf: folder.appendingPathComponent("bars.fwht")))
        var units: [[UInt8]] = []
        var place = 0
        while place + 44 <= stream.count {
            let end = place + 44 + stream[place + 40..<place + 44].reduce(0) { $0 << 8 | Int($1) }
            units.append(Array(stream[place..<end]))
            place = end
        }
        let text = try String(contentsOf: folder.appendingPathComponent("bars.fwht.sums"), encoding: .utf8)
        self.units = Array(units.prefix(count))
        sums = text.split(separator: "\n").prefix(count).compactMap { UInt64($0, radix: 16) }
        try #require(self.units.count == count && sums.count == count)
    }

    /// Decoded by a device without a player, NV12 without gaps: the reference's to the octet.
    func pictures() throws -> [[UInt8]] {
        let decoder = try HardwareDecoder(
            opening: try #require(Guest.videoNode(named: "stateful-decoder")), decoding: .fwht)
        var pictures: [[UInt8]] = []
        let limit = SystemClock.monotonic() + .seconds(60)
        func take() throws {
            while let frame = try decoder.take() { pictures.append(try Self.samples(of: frame)) }
            try #require(SystemClock.monotonic() < limit, "\(decoder.phase)")
        }
        for unit in units {
            let told = AccessUnit(pts: 0, dts: 0, isRandomAccess: true, isDamaged: false)
            while try !unit.withUnsafeBytes({ try decoder.offer($0, of: told) }) {
                try take()
                try decoder.advance(atMost: .milliseconds(100))
            }
        }
        try decoder.drain()
        while !decoder.isDrained {
            try decoder.advance(atMost: .milliseconds(100))
            try take()
        }
        try #require(pictures.map(Self.sum) == sums)
        return pictures
    }

    private static func samples(of frame: borrowing VideoFrame) throws -> [UInt8] {
        try #require(frame.format == .nv12 && frame.width == width && frame.height == height)
        let (luma, chroma, _) = frame.planes
        var samples: [UInt8] = []
        for (plane, rows) in [(luma, height), (chroma, height / 2)] {
            for row in 0..<rows {
                samples += UnsafeRawBufferPointer(start: plane.base + row * plane.stride, count: width)
            }
        }
        return samples
    }

    /// FNV-1a of words of 64 bits.
    private static func sum(_ samples: [UInt8]) -> UInt64 {
        samples.withUnsafeBytes { bytes in
            bytes.bindMemory(to: UInt64.self).reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ $1) &* 0x100_0000_01b3 }
        }
    }

    /// Those samples in memory of the processor.
    static func withFrame<Result>(
        _ samples: [UInt8], _ matrix: VideoFrame.Matrix = .bt709, _ body: (borrowing VideoFrame) throws -> Result
    ) throws -> Result {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: samples.count, alignment: 64)
        memory.copyBytes(from: samples)
        let base = try #require(memory.baseAddress)
        let planes = [0, width * height].map { VideoFrame.Plane(base: base + $0, stride: width) }
        let frame = VideoFrame(
            format: .nv12, width: width, height: height, pixelAspect: (1, 1), matrix: matrix, isFullRange: false,
            planes: (planes[0], planes[1], planes[1]), pts: 0, isDamaged: false, owner: base,
            giveBack: { $0.deallocate() })
        return try body(frame)
    }
}
