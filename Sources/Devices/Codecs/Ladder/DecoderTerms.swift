// SPDX-License-Identifier: Apache-2.0
import Time

/// The parameters with which a device is opened.
public struct DecoderTerms: Hashable, Sendable {
    /// Size of the stream's pictures; nil if unknown.
    public var size: DecoderNeed.Size?
    public var codedBuffers = 4
    /// Number of pictures that readers may keep at a time: the stage and the queue before it.
    public var sparePictures = 6
    /// Timeout after which a device that has all it needs but neither delivers nor asks counts as wedged.
    public var patience = HardwareDecoder.patience

    /// Number of units that it may take without giving a picture; see `ReorderBound`.
    public var mostInVain = ReorderBound.units(of: .h264, size: nil, level: nil)

    public init() {}

    /// The smallest numbers of buffers that work.
    static var few: DecoderTerms {
        var terms = DecoderTerms()
        (terms.codedBuffers, terms.sparePictures) = (2, 3)
        return terms
    }

    /// Timeout for a device that was wedged before: with the first timeout, the picture stands still for less than a
    /// second.
    static let secondPatience = Nanoseconds.milliseconds(300)
}
