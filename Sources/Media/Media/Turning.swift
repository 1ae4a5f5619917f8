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
        // As distances in the source's memory.
        func distance(_ place: (x: Int, y: Int)) -> Int { place.y * sourceStride + place.x }
        let reading = rotation.reading(of: size)
        let (first, right, below) = (distance(reading.first), distance(reading.right), distance(reading.below))
        let seen = rotation.rotated(size)
        let (columns, rows) = (seen.width, seen.height)
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
