// SPDX-License-Identifier: Apache-2.0
import Scene

/// Rotates pixels of 4 octets by quarter turns, in blocks that stay in the cache.
public enum Turning {
    private static let block = 32

    /// - Parameters:
    ///   - size: of the source.
    ///   - sourceStride, targetStride: pixels from one row to the next.
    public static func copy(
        _ source: UnsafePointer<UInt32>, stride sourceStride: Int, size: PixelSize, turned rotation: QuarterTurn,
        to target: UnsafeMutablePointer<UInt32>, stride targetStride: Int
    ) {
        let (width, height) = (size.width, size.height)
        // Source index of the target's first pixel, and the source steps for one pixel to the right and one row down.
        let (first, right, below) =
            switch rotation {
            case .upright: (0, 1, sourceStride)
            case .quarter: ((height - 1) * sourceStride, -sourceStride, 1)
            case .half: ((height - 1) * sourceStride + width - 1, -1, -sourceStride)
            case .threeQuarters: (width - 1, sourceStride, -1)
            }
        let (columns, rows) = rotation.isSideways ? (height, width) : (width, height)
        for top in stride(from: 0, to: rows, by: block) {
            for left in stride(from: 0, to: columns, by: block) {
                for row in top..<min(rows, top &+ block) {
                    let line = target + row &* targetStride
                    var from = first &+ row &* below &+ left &* right
                    for column in left..<min(columns, left &+ block) {
                        line[column] = source[from]
                        from &+= right
                    }
                }
            }
        }
    }
}
