// SPDX-License-Identifier: Apache-2.0

/// Vertical colour bars of 75 %: each primary is 75 % of full scale or nothing. From the left their luma falls: white,
/// yellow, cyan, green, magenta, red, blue, black.
public enum ColourBars {
    /// 75 % of full scale, 0...255.
    public static let level: UInt32 = 191
    /// 0xRRGGBB.
    public static let colours: [UInt32] = [
        0x010101 * level, 0x010100 * level, 0x000101 * level, 0x000100 * level, 0x010001 * level, 0x010000 * level,
        0x000001 * level, 0,
    ]

    /// The colour of a column, 0xRRGGBB.
    /// - Parameter column: from 0 to below `width`.
    public static func colour(ofColumn column: Int, of width: Int) -> UInt32 {
        colours[column * colours.count / width]
    }

    /// The columns that have the colour of this index.
    public static func columns(of index: Int, in width: Int) -> Range<Int> {
        func start(_ index: Int) -> Int { (index * width + colours.count - 1) / colours.count }
        return start(index)..<start(index + 1)
    }
}
