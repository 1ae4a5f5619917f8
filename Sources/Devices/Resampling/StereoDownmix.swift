// SPDX-License-Identifier: Apache-2.0

/// The weights of each channel in left and right (ITU-R BS.775-3, annex 4): centre and surround channels at -3 dB on
/// their side or both, low-frequency effects left out. All weights are scaled down so that full scale on all channels
/// stays full scale. Mono is heard at full level on both sides.
struct StereoDownmix {
    /// One weight per channel for the left, then one per channel for the right.
    let weights: [Double]

    init(_ format: SourceFormat) {
        var left: [Double] = []
        var right: [Double] = []
        for bit in 0..<64 where format.channelMask >> UInt64(bit) & 1 == 1 {
            let share = Self.share(ofSpeaker: bit)
            left.append(share.left)
            right.append(share.right)
        }
        // A single channel is always heard, even if it is the low-frequency channel or unknown.
        if left.count == 1 { (left, right) = ([1], [1]) }
        let loudest = max(left.reduce(0, +), right.reduce(0, +), 1)
        weights = (left + right).map { $0 / loudest }
    }

    /// - Parameter bit: bit number in a channel mask.
    private static func share(ofSpeaker bit: Int) -> (left: Double, right: Double) {
        let minus3dB = 0.5.squareRoot()
        return switch bit {
        case 0, 6, 29: (1, 0)  // front left, left of centre, the left of a stereo downmix
        case 1, 7, 30: (0, 1)
        case 2: (minus3dB, minus3dB)  // front centre
        case 3, 35: (0, 0)  // low-frequency effects
        case 4, 9, 12, 15, 31, 33: (minus3dB, 0)  // back, side, top front, top back, wide, surround direct: left
        case 5, 10, 14, 17, 32, 34: (0, minus3dB)
        case 8, 11, 13, 16: (0.5, 0.5)  // back centre, top centre, top front centre, top back centre
        default: (0, 0)
        }
    }
}
