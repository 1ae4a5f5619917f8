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

    /// The access units of a stream with delimiters, or of MPEG video, 25 pictures a second in coded order;
    /// `isRandomAccess` where parameter sets are.
    static func accessUnits(_ stream: [UInt8], _ codec: Codec = .h264) -> [(unit: AccessUnit, bytes: [UInt8])] {
        var starts: [Int] = []
        var hasPicture = true
        for index in stream.indices.dropLast(4) where stream[index...].starts(with: [0, 0, 1]) {
            let (code, hasZero) = (stream[index + 3], index > 0 && stream[index - 1] == 0)
            switch codec {
            case .h264: if code == 9 { starts.append(index - 1) }
            case .hevc: if code == 0x46, hasZero { starts.append(index - 1) }
            default:
                guard [0, 0xb3, 0xb8].contains(code) else { continue }
                if hasPicture { starts.append(index) }
                hasPicture = code == 0
            }
        }
        return zip(starts, starts.dropFirst() + [stream.count]).enumerated().map { index, range in
            let bytes = Array(stream[range.0..<range.1])
            let time = Int64(index) * 3_600
            let isKey = bytes.indices.dropLast(4).contains { place in
                bytes[place...].starts(with: [0, 0, 1]) && isParameterSet(bytes[place + 3], codec)
            }
            return (AccessUnit(pts: time, dts: time, isRandomAccess: isKey, isDamaged: false), bytes)
        }
    }

    private static func isParameterSet(_ code: UInt8, _ codec: Codec) -> Bool {
        switch codec {
        case .h264: code & 0x1f == 7
        case .hevc: code >> 1 & 0x3f == 33
        default: code == 0xb3
        }
    }

    /// The packets of an Ogg file with one stream, without the two that describe it.
    static func oggPackets(_ file: [UInt8]) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var packet: [UInt8] = []
        var page = 0
        while page + 27 <= file.count {
            let sizes = file[page + 27..<page + 27 + Int(file[page + 26])]
            var place = sizes.endIndex
            for size in sizes {
                packet += file[place..<place + Int(size)]
                place += Int(size)
                if size < 255 {
                    packets.append(packet)
                    packet = []
                }
            }
            page = place
        }
        return Array(packets.dropFirst(2))
    }
}
