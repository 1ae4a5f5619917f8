// SPDX-License-Identifier: Apache-2.0
import Media
import Testing

/// AetherEngine #290: 1:100 was shown as a strip of six columns, 200:1 as two rows.
@Test(
    arguments: [
        (1, 1, true), (16, 11, true), (128, 45, true), (2, 1, true), (1, 2, true), (4, 1, true), (1, 4, true),
        (1, 100, false), (200, 1, false), (0, 1, false), (1, -1, false), (Int.max, 1, false),
        (1_000_000_007, 1_000_000_009, true),
    ])
func pixelAspectsThatNoPictureHas(width: Int, height: Int, isBelieved: Bool) {
    #expect(VideoFrame.believable((width, height)) == (isBelieved ? (width, height) : (1, 1)))
}
