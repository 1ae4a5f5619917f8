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
    var fields: VideoFrame.FieldOrder
    var transfer: VideoFrame.Transfer
    /// Mean of the luma of every fourth pixel of every fourth row: all of them take minutes in an emulator.
    var luma: Int

    init(_ frame: borrowing VideoFrame) {
        pts = frame.pts
        (width, height) = (frame.width, frame.height)
        (format, matrix) = (frame.format, frame.matrix)
        isDamaged = frame.isDamaged
        (fields, transfer) = (frame.fields, frame.transfer)
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

extension VideoFrame {
    /// What ffmpeg's framecrc says of the picture: an Adler-32, begun with 0, of its planes' samples.
    borrowing func checksum() -> UInt32 {
        var (low, high): (UInt32, UInt32) = (0, 0)
        for index in 0..<format.planeCount {
            let plane = index == 0 ? planes.0 : index == 1 ? planes.1 : planes.2
            let extent = format.extent(ofPlane: index, width: width, height: height)
            for row in 0..<extent.rows {
                for octet in UnsafeRawBufferPointer(start: plane.base + row * plane.stride, count: extent.octets) {
                    low = (low + UInt32(octet)) % 65_521
                    high = (high + low) % 65_521
                }
            }
        }
        return high << 16 | low
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
