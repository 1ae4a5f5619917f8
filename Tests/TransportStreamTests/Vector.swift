// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TransportStream

/// Streams made by ffmpeg and what ffprobe says of them; `Vectors/make` makes them again.
enum Vector {
    /// One line of `ffprobe -show_packets`.
    struct Line: Equatable {
        let pts: UInt64
        let dts: UInt64
        let size: Int
        let isKey: Bool
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        let url = try #require(Bundle.module.url(forResource: "Vectors/\(name)", withExtension: nil))
        return [UInt8](try Data(contentsOf: url))
    }

    /// - Parameter name: of a vector, without ending.
    static func listing(_ name: String) throws -> String { String(decoding: try bytes("\(name).csv"), as: UTF8.self) }

    /// The lines of one codec_type; the fields are codec_type, pts, dts, size, flags.
    static func lines(_ type: String, of text: String) -> [Line] {
        text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ",")
            guard fields.count >= 5, fields[0] == type, let pts = UInt64(fields[1]), let size = Int(fields[3]) else {
                return nil
            }
            return Line(pts: pts, dts: UInt64(fields[2]) ?? pts, size: size, isKey: fields[4].hasPrefix("K"))
        }
    }
}
