// SPDX-License-Identifier: Apache-2.0
import Scene

/// Pictures of FWHT in any size that `vicodec` takes, as it describes its format (codec-fwht.h): flat cells of colour, each
/// written once for all blocks of 8 x 8 that it covers, about 36 kB for 1920 x 1080.
struct FWHTPainting {
    let units: [[UInt8]]

    /// - Parameter size: even.
    init(_ size: PixelSize) {
        units = (0..<8).map { Self.unit(size, number: $0) }
    }

    private static func unit(_ size: PixelSize, number: Int) -> [UInt8] {
        var planes: [UInt8] = []
        for plane in 0..<3 {
            let half = plane == 0 ? 1 : 2
            let (columns, rows) = ((size.width / half + 7) / 8, (size.height / half + 7) / 8)
            for row in 0..<rows {
                for start in stride(from: 0, to: columns, by: 8) {
                    let shade = (row * 5 + start * (plane + 2) + number * 11) % 140 - 70
                    planes += block(shade, repeated: min(8, columns - start) - 1)
                }
            }
        }
        // Stands for itself; three planes of YUV. BT.709 in limited range.
        let flags = 1 << 10 | 2 << 16 | 1 << 19
        let header = [0x4f4f_4f4f, 0xffff_ffff, 3, size.width, size.height, flags, 3, 1, 2, 2, planes.count]
        return header.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } } + planes
    }

    /// Its header, one coefficient (in sixteenths of a sample's value, from its middle), and zeros for the rest.
    private static func block(_ shade: Int, repeated count: Int) -> [UInt8] {
        [count << 1, shade * 16 << 4, 0xf].flatMap {
            [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]
        }
    }
}
