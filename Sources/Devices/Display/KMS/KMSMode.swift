// SPDX-License-Identifier: Apache-2.0
import Scene

/// A way in which a screen can be driven.
struct KMSMode: Hashable, Sendable {
    let size: PixelSize
    /// Thousandths of a frame a second.
    let milliHertz: Int
    let isInterlaced: Bool
    /// The screen's own.
    let isPreferred: Bool

    /// Frames a second, 1...240.
    var rate: Int { max(1, min(240, (milliHertz + 500) / 1_000)) }

    /// The place in `modes` of the one to show a stage of this size in: one of its size, or the screen's own; none that
    /// is interlaced unless all are; of several the one nearest to 60 Hz. Nil when there are none.
    static func choice(of modes: [KMSMode], for size: PixelSize) -> Int? {
        modes.indices.max { rank(modes[$0], size).lexicographicallyPrecedes(rank(modes[$1], size)) }
    }

    private static func rank(_ mode: KMSMode, _ size: PixelSize) -> [Int] {
        [
            mode.isInterlaced ? 0 : 1, mode.size == size ? 1 : 0, mode.isPreferred ? 1 : 0,
            -abs(mode.milliHertz - 60_000),
        ]
    }
}
