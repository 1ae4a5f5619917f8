// SPDX-License-Identifier: Apache-2.0
import Bytes

/// An RTCP sender report (RFC 3550 6.4.1), which relates a sender's time stamps to its wall clock. Counts and report
/// blocks are not read.
///
///     +---+-+---------+---------------+-------------------------------+
///     |V=2|P|   RC    |    PT=200     |     length, 32-bit words - 1  |
///     +---+-+---------+---------------+-------------------------------+
///     |                             SSRC                              |
///     +---------------------------------------------------------------+
///     |              NTP time stamp, 32.32 bits of seconds            |
///     |                                                               |
///     +---------------------------------------------------------------+
///     |                        RTP time stamp                         |
///     +---------------------------------------------------------------+
@frozen
public struct SenderReport: Sendable, Equatable {
    private static let packetType: UInt8 = 200

    public let ssrc: UInt32
    /// NTP time stamp: seconds since 1900 in the upper 32 bits, which wrap in 2036, and their fraction. 0 if the sender
    /// has no wall clock.
    public let wallTime: UInt64
    /// RTP time stamp of the same instant, by the payload format's clock.
    public let timestamp: UInt32

    /// Reads the first sender report of a compound packet. By the standard it is the first packet.
    /// - Returns: nil if there is none, but only receiver reports or source descriptions.
    /// - Throws: `.unsupported` for another version, `.truncated`.
    public init?(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        while !reader.isAtEnd {
            let start = reader.offset
            let first: UInt8 = try reader.read()
            guard first >> 6 == 2 else { throw WireError(.unsupported("RTCP version", UInt64(first >> 6)), at: start) }
            let type: UInt8 = try reader.read()
            let words: UInt16 = try reader.read()
            var body = WireReader(bytes, in: try reader.take(Int(words) &* 4))
            guard type == SenderReport.packetType else { continue }
            ssrc = try body.read()
            wallTime = try body.read()
            timestamp = try body.read()
            return
        }
        return nil
    }

    /// Whether a datagram is RTCP on a port shared with RTP (RFC 5761 §4): its packet type is 192...223.
    public static func isControl(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count > 1 && bytes[0] >> 6 == 2 && (192...223).contains(bytes[1])
    }
}
