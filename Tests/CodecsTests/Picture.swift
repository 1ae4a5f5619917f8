// SPDX-License-Identifier: Apache-2.0
import Media

@testable import Codecs

/// What the tests look at after the frame is gone.
struct Picture: Equatable {
    var pts: Int64
    var width: Int
    var height: Int
    var format: VideoFrame.PixelFormat
    var matrix: VideoFrame.Matrix
    var isDamaged: Bool
    /// Mean of the luma of every fourth pixel of every fourth row: all of them take minutes in an emulator.
    var luma: Int

    init(_ frame: borrowing VideoFrame) {
        pts = frame.pts
        (width, height) = (frame.width, frame.height)
        (format, matrix) = (frame.format, frame.matrix)
        isDamaged = frame.isDamaged
        var (sum, count) = (0, 0)
        for row in stride(from: 0, to: height, by: 4) {
            for column in stride(from: 0, to: width, by: 4) {
                sum += Int((frame.planes.0.base + row * frame.planes.0.stride + column).load(as: UInt8.self))
                count += 1
            }
        }
        luma = sum / count
    }
}

extension VideoDecoder {
    mutating func pictures() throws -> [Picture] {
        var found: [Picture] = []
        while let frame = try receive() { found.append(Picture(frame)) }
        return found
    }

    mutating func decode(_ unit: AccessUnit, _ bytes: [UInt8]) throws -> [Picture] {
        try bytes.withUnsafeBytes { try send(unit, $0) }
        return try pictures()
    }

    mutating func rest() throws -> [Picture] {
        try drain()
        return try pictures()
    }
}
