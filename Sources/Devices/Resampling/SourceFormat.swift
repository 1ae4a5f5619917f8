// SPDX-License-Identifier: Apache-2.0

/// The format of interleaved float samples.
public struct SourceFormat: Hashable, Sendable {
    public let sampleRate: Int
    public let channels: Int
    /// The loudspeaker of each channel, in the order of the bits, which are those of libavutil and of WAVE.
    public let channelMask: UInt64

    public static let stereo48k = SourceFormat(sampleRate: 48_000, channels: 2)

    /// - Parameter channelMask: if its number of bits is not `channels`, as with 0, the usual layout for that number is
    ///   taken.
    public init(sampleRate: Int, channels: Int, channelMask: UInt64 = 0) {
        self.sampleRate = sampleRate
        self.channels = channels
        let isUsable = channelMask.nonzeroBitCount == channels
        self.channelMask = isUsable ? channelMask : Self.usualMasks[max(0, min(8, channels))]
    }

    /// Masks by number of channels: none, mono, stereo, 3.0, 4.0, 5.0, 5.1, 6.1, 7.1.
    private static let usualMasks: [UInt64] = [0, 0x4, 0x3, 0x7, 0x107, 0x37, 0x3f, 0x70f, 0x63f]

    var isSupported: Bool { (8_000...192_000).contains(sampleRate) && (1...8).contains(channels) }
}
