// SPDX-License-Identifier: Apache-2.0
import Time

/// How a device is worked with.
public struct DecoderTerms: Hashable, Sendable {
    /// Of the stream's pictures; nil: not known yet.
    public var size: DecoderNeed.Size?
    public var codedBuffers = 4
    /// Pictures that its readers may keep at a time: the stage, and the queue in front of it.
    public var sparePictures = 6
    /// It neither delivers nor asks for as long, with what it needs: wedged.
    public var patience = HardwareDecoder.patience

    /// Units that it may take without a picture; see `ReorderBound`.
    public var mostInVain = ReorderBound.units(of: .h264, size: nil, level: nil)

    public init() {}

    /// As little as it works with.
    static var few: DecoderTerms {
        var terms = DecoderTerms()
        (terms.codedBuffers, terms.sparePictures) = (2, 3)
        return terms
    }

    /// Of one that has been wedged before: both together, a picture stands for less than a second.
    static let secondPatience = Nanoseconds.milliseconds(300)
}
