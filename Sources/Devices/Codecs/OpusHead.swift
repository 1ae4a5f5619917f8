// SPDX-License-Identifier: Apache-2.0

/// The identification header that an Opus decoder needs (RFC 7845, 5.1). A transport stream only states the number of
/// channels.
///
///     "OpusHead" version:8 channels:8 preSkip:16 rate:32 gain:16 family:8 [streams:8 coupled:8 map:8 x channels]
enum OpusHead {
    static let mostChannels = 8

    /// Number of streams, of coupled streams, and the channel mapping, by the number of channels (RFC 7845, 5.1.1.2,
    /// figure 3 ff.).
    private static let families: [(streams: UInt8, coupled: UInt8, map: [UInt8])] = [
        (1, 0, [0]), (1, 1, [0, 1]), (2, 1, [0, 2, 1]), (2, 2, [0, 1, 2, 3]), (3, 2, [0, 4, 1, 2, 3]),
        (4, 2, [0, 4, 1, 2, 3, 5]), (4, 3, [0, 4, 1, 2, 3, 5, 6]), (5, 3, [0, 6, 1, 2, 3, 4, 5, 7]),
    ]

    /// - Parameter channels: 1...`mostChannels`.
    static func bytes(channels: Int) -> [UInt8] {
        let family = families[channels - 1]
        var bytes = Array("OpusHead".utf8)
        bytes += [1, UInt8(channels), 0, 0, 0x80, 0xbb, 0, 0, 0, 0]  // nothing skipped, 48 000 Hz, gain 1
        guard channels > 2 else { return bytes + [0] }
        return bytes + [1, family.streams, family.coupled] + family.map
    }
}
