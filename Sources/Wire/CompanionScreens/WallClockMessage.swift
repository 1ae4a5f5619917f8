// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time

/// A message of the wall clock protocol, CSS-WC (TS 103 286-2 clause 8): one UDP datagram of 32 octets.
///
///      0                   1                   2                   3
///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
///     +---------------+---------------+---------------+---------------+
///     |  version (0)  |     type      |   precision   | reserved (0)  |
///     +---------------+---------------+---------------+---------------+
///     |             maximum frequency error, ppm × 256                |
///     +---------------------------------------------------------------+
///     |                  originate time value: seconds                |
///     |                                        nanoseconds            |
///     +---------------------------------------------------------------+
///     |                  receive time value, likewise                 |
///     |                                                               |
///     +---------------------------------------------------------------+
///     |                  transmit time value, likewise                |
///     |                                                               |
///     +---------------------------------------------------------------+
public struct WallClockMessage: Hashable, Sendable {
    public enum Kind: UInt8, Sendable, CaseIterable {
        case request
        /// A response that no follow-up follows.
        case response
        /// A response whose follow-up will have a better transmit time.
        case responseBeforeFollowUp
        /// The second response to the same request.
        case followUp
    }

    /// Octets of every message.
    public static let octetCount = 32

    public let kind: Kind
    /// Precision of the server's wall clock: 2 to this power, in seconds. 0 in a request.
    public let precision: Int8
    /// The most by which the server's wall clock runs fast or slow, in 1/256 ppm. 0 in a request.
    public let maximumFrequencyError: UInt32
    /// When the client sent the request, as it wrote it: seconds in the upper 32 bits, then nanoseconds. It means nothing
    /// to a server, which returns the octets unchanged even if the nanoseconds are 10⁹ or more.
    public let originate: UInt64
    /// When the server received the request, by its wall clock. 0 in a request.
    public let receive: WallClockTime
    /// When the server sent the response, by its wall clock. 0 in a request.
    public let transmit: WallClockTime

    public init(
        _ kind: Kind, precision: Int8, maximumFrequencyError: UInt32, originate: UInt64, receive: WallClockTime,
        transmit: WallClockTime
    ) {
        self.kind = kind
        self.precision = precision
        self.maximumFrequencyError = maximumFrequencyError
        self.originate = originate
        self.receive = receive
        self.transmit = transmit
    }

    /// A client's request.
    /// - Parameter originate: the client's own time, by which it also recognises the response.
    public static func request(originate: UInt64) -> WallClockMessage {
        let none = WallClockTime(nanoseconds: 0)
        return WallClockMessage(
            .request, precision: 0, maximumFrequencyError: 0, originate: originate, receive: none, transmit: none)
    }

    /// Reads a datagram. The reserved octet is not looked at.
    /// - Throws: `.truncated`; `.unsupported` for another version or type; `.invalid` for a receive or transmit value with
    ///   10⁹ nanoseconds or more, or for more than 32 octets.
    public init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        let version: UInt8 = try reader.read()
        guard version == 0 else { throw WireError(.unsupported("wall clock version", UInt64(version)), at: 0) }
        let type: UInt8 = try reader.read()
        guard let kind = Kind(rawValue: type) else {
            throw WireError(.unsupported("wall clock message type", UInt64(type)), at: 1)
        }
        self.kind = kind
        precision = try reader.read()
        try reader.skip(1)
        maximumFrequencyError = try reader.read()
        originate = try reader.read()
        receive = try Self.time("receive nanoseconds", from: &reader)
        transmit = try Self.time("transmit nanoseconds", from: &reader)
        guard reader.isAtEnd else {
            throw WireError(.invalid("wall clock message octets", UInt64(bytes.count)), at: reader.offset)
        }
    }

    private static func time(_ name: StaticName, from reader: inout WireReader) throws(WireError) -> WallClockTime {
        let start = reader.offset
        let value: UInt64 = try reader.read()
        guard let time = WallClockTime(timeValue: value) else {
            throw WireError(.invalid(name, value & 0xffff_ffff), at: start + 4)
        }
        return time
    }

    /// The datagram.
    public var octets: [UInt8] {
        var writer = WireWriter(reserving: Self.octetCount)
        writer.write(UInt8(0))
        writer.write(kind.rawValue)
        writer.write(precision)
        writer.write(UInt8(0))
        writer.write(maximumFrequencyError)
        writer.write(originate)
        writer.write(receive.timeValue)
        writer.write(transmit.timeValue)
        return writer.bytes
    }
}
