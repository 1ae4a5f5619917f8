// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import Testing

@testable import Codecs

/// Streams made by ffmpeg 5.1.9; the commands stand in Vectors/README.md.
enum Vector {
    static func bytes(_ name: String) throws -> [UInt8] {
        let url = try #require(Bundle.module.url(forResource: "Vectors/\(name)", withExtension: nil))
        return [UInt8](try Data(contentsOf: url))
    }

    /// The access units of an H.264 stream with delimiters, 25 pictures a second; `isRandomAccess` where an SPS is.
    static func accessUnits(_ stream: [UInt8]) -> [(unit: AccessUnit, bytes: [UInt8])] {
        var starts: [Int] = []
        for index in stream.indices.dropLast(4) where stream[index...].starts(with: [0, 0, 0, 1, 9]) {
            starts.append(index)
        }
        return zip(starts, starts.dropFirst() + [stream.count]).enumerated().map { index, range in
            let bytes = Array(stream[range.0..<range.1])
            let time = Int64(index) * 3_600
            let isKey = bytes.indices.dropLast(4).contains { bytes[$0] == 1 && bytes[$0 + 1] & 0x1f == 7 }
            return (AccessUnit(pts: time, dts: time, isRandomAccess: isKey, isDamaged: false), bytes)
        }
    }
}
