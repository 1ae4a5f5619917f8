// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The head of an AAC frame (ISO/IEC 14496-3 1.A.2.2).
///
///     +--------------+--+--+--+-------+---------+-+--------+----+----------------+------------+------+
///     | FFF          |ID|00|NC|profile| rate 4  |p| chan 3 |.... | frame length13| fullness11 | blk 2|
///     +--------------+--+--+--+-------+---------+-+--------+----+----------------+------------+------+
///     NC protection_absent: else a CRC of 2 octets follows
@frozen
public struct ADTSHeader: Sendable, Equatable {
    /// Octets without a CRC.
    @inlinable public static var size: Int { 7 }

    /// audio object type: 2 is AAC LC.
    public let objectType: UInt8
    public let sampleRate: Int
    /// channel_configuration; 0 when the first raw block tells.
    public let channels: UInt8
    public let hasCRC: Bool
    /// Octets, this header included.
    public let frameLength: Int
    /// 1024 for each raw block.
    public let sampleCount: Int

    public init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) throws(WireError) {
        guard offset >= 0, offset <= bytes.count else {
            throw WireError(.truncated(needed: 7, available: 0), at: offset)
        }
        var reader = WireReader(bytes, in: offset..<bytes.count)
        let head = try reader.read(octets: ADTSHeader.size)
        guard head >> 44 == 0xFFF else { throw WireError(.invalid("syncword", head >> 44), at: offset) }
        guard head >> 41 & 3 == 0 else { throw WireError(.invalid("layer", head >> 41 & 3), at: offset + 1) }
        hasCRC = head >> 40 & 1 == 0
        objectType = UInt8(head >> 38 & 3) + 1
        let rate = Int(head >> 34 & 0xF)
        guard ADTSHeader.rates.indices.contains(rate) else {
            throw WireError(.invalid("sampling_frequency_index", UInt64(rate)), at: offset + 2)
        }
        sampleRate = ADTSHeader.rates[rate]
        channels = UInt8(head >> 30 & 7)
        frameLength = Int(head >> 13 & 0x1FFF)
        guard frameLength > (hasCRC ? 9 : 7) else {
            throw WireError(.invalid("aac_frame_length", UInt64(frameLength)), at: offset + 3)
        }
        sampleCount = 1024 * (Int(head & 3) + 1)
    }

    static let rates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350]

    /// Ticks of 90 kHz that the frame lasts, rounded down.
    public var duration: UInt64 { UInt64(sampleCount * 90000 / sampleRate) }
}
