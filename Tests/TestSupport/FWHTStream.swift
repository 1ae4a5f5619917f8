// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A stream of FWHT, which `vicodec` decodes, from beside the tests of `Codecs`: Vectors/README.md there says how it was
/// made.
public struct FWHTStream: Sendable {
    public let units: [[UInt8]]
    /// Of a reference decoder's pictures.
    public let sums: [UInt64]

    /// - Parameter name: `bars`, `bars-601`.
    public init(_ name: String) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("CodecsTests/Vectors")
        let stream = [UInt8](try Data(contentsOf: folder.appendingPathComponent("\(name).fwht")))
        let text = try Data(contentsOf: folder.appendingPathComponent("\(name).fwht.sums"))
        var units: [[UInt8]] = []
        var place = 0
        while place + 44 <= stream.count {
            let size = stream[place + 40..<place + 44].reduce(0) { $0 << 8 | Int($1) }
            units.append(Array(stream[place..<min(stream.count, place + 44 + size)]))
            place += 44 + size
        }
        self.units = units
        sums = String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { UInt64($0, radix: 16) }
    }

    /// FNV-1a of its words of 64 bits.
    /// - Parameter samples: the visible ones of NV12, row by row.
    public static func sum(_ samples: [UInt8]) -> UInt64 {
        samples.withUnsafeBytes { octets in
            var sum: UInt64 = 0xcbf2_9ce4_8422_2325
            for word in octets.bindMemory(to: UInt64.self) { sum = (sum ^ word) &* 0x100_0000_01b3 }
            return sum
        }
    }
}
