// SPDX-License-Identifier: Apache-2.0
import Media
import TestSupport
import Testing

@testable import Codecs

/// A stream of FWHT units and what is in it; Vectors/README.md says how both were made.
struct GuestClip {
    /// Sixteen pictures of 640 x 360, which the driver codes as 640 x 368.
    static let bars = Result { try GuestClip("bars", width: 640, height: 360) }
    /// Six of 648 x 362, coded as 656 x 368, of another matrix and range.
    static let bars601 = Result { try GuestClip("bars-601", width: 648, height: 362) }

    let width: Int
    let height: Int
    let units: [[UInt8]]
    /// Of the reference decoder's pictures.
    let sums: [UInt64]
    /// Of the same pictures, for comparison within this process; they were compared with `sums`.
    let marks: [Int]

    /// Pictures from one that stands for itself to the next.
    static let group = 5

    private init(_ name: String, width: Int, height: Int) throws {
        let stream = try FWHTStream(name)
        (self.width, self.height, units, sums) = (width, height, stream.units, stream.sums)
        let drive = try GuestDrive()
        drive.computesSums = true
        marks = try drive.run(units).map(\.mark)
        try #require(drive.sums == sums && sums.count == units.count)
    }

    /// The whole stream in pieces of so many octets.
    func pieces(of size: Int) -> [[UInt8]] {
        let all = units.flatMap { $0 }
        return stride(from: 0, to: all.count, by: size).map { Array(all[$0..<min(all.count, $0 + size)]) }
    }
}

extension VideoFrame {
    /// FNV-1a of its samples as words of 64 bits.
    borrowing func sum() -> UInt64 {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        withRows { row in
            for word in row.bindMemory(to: UInt64.self) { sum = (sum ^ word) &* 0x100_0000_01b3 }
        }
        return sum
    }

    /// The same for the same samples, in this process alone, and faster.
    borrowing func mark() -> Int {
        var hasher = Hasher()
        withRows { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    /// As NV12.
    private borrowing func withRows(_ body: (UnsafeRawBufferPointer) -> Void) {
        func octets(_ plane: Plane, _ row: Int, _ count: Int) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(start: plane.base + row * plane.stride, count: count)
        }
        let planes = planes
        for row in 0..<height { body(octets(planes.0, row, width)) }
        for row in 0..<height / 2 {
            switch format {
            case .nv12: body(octets(planes.1, row, width))
            case .nv21:
                let pairs = octets(planes.1, row, width)
                pairs.indices.map { pairs[$0 ^ 1] }.withUnsafeBytes(body)
            default:
                let pairs = zip(octets(planes.1, row, width / 2), octets(planes.2, row, width / 2))
                pairs.flatMap { [$0.0, $0.1] }.withUnsafeBytes(body)
            }
        }
    }
}
