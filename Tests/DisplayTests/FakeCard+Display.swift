// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

@testable import Display

extension FakeCard.Display {
    /// - Parameter modes: width, height and Hz; the first is the preferred one.
    init(_ edid: UInt8, _ modes: (Int, Int, Int)...) {
        self.edid = [edid]
        timings = modes.enumerated().map { index, mode in
            KMSTiming(
                mode: KMSMode(
                    size: PixelSize(width: mode.0, height: mode.1), refresh: FrameRate(Int64(mode.2)),
                    isPreferred: index == 0),
                octets: [UInt8(mode.0), UInt8(mode.1), UInt8(mode.2)])
        }
    }

    static let television = Self(1, (192, 108, 60), (192, 108, 50), (128, 72, 60), (64, 48, 60))
    static let other = Self(2, (128, 72, 50), (64, 48, 60))
}
