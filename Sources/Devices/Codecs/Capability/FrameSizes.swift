// SPDX-License-Identifier: Apache-2.0

/// The range of picture sizes that a decoder takes, in pixels.
public struct FrameSizes: Hashable, Sendable {
    /// A larger answer of a driver cannot be a size.
    private static let most: UInt32 = 65_535

    public var width: ClosedRange<Int>
    public var height: ClosedRange<Int>

    public init(width: ClosedRange<Int>, height: ClosedRange<Int>) {
        self.width = width
        self.height = height
    }

    /// The range from the smallest to the largest answer of a driver; impossible answers are ignored.
    /// - Returns: nil if no answer is usable.
    init?(_ answers: [V4L2FrameSize]) {
        let sound = answers.filter { size in
            1 <= size.smallestWidth && size.smallestWidth <= size.largestWidth && size.largestWidth <= Self.most
                && 1 <= size.smallestHeight && size.smallestHeight <= size.largestHeight
                && size.largestHeight <= Self.most
        }
        guard let left = sound.map(\.smallestWidth).min(), let right = sound.map(\.largestWidth).max(),
            let top = sound.map(\.smallestHeight).min(), let bottom = sound.map(\.largestHeight).max()
        else { return nil }
        self.init(width: Int(left)...Int(right), height: Int(top)...Int(bottom))
    }

    public func includes(width: Int, height: Int) -> Bool { self.width.contains(width) && self.height.contains(height) }
}
