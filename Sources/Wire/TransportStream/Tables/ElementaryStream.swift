// SPDX-License-Identifier: Apache-2.0
import Bytes

/// One entry of a program map.
///
///     +-------------+---+---------------------+----+------------------+-------------+
///     | stream_type | r | elementary_PID 13   | r  | ES_info_length12 | descriptors |
///     +-------------+---+---------------------+----+------------------+-------------+
public struct ElementaryStream: Sendable, Equatable {
    /// stream_type as sent.
    public let type: UInt8
    public let pid: UInt16
    public let codec: StreamCodec
    /// ISO 639-2, three lower-case letters; nil when not said.
    public let language: String?
    /// format_identifier of a registration descriptor, such as "AC-3" or "CUEI", as four octets.
    public let registration: UInt32?

    public init(type: UInt8, pid: UInt16, language: String? = nil, registration: UInt32? = nil) {
        self.type = type
        self.pid = pid
        self.language = language
        self.registration = registration
        codec = StreamCodec(type: type, registration: registration)
    }

    init(from reader: inout WireReader) throws(WireError) {
        type = try reader.read()
        let pid: UInt16 = try reader.read()
        self.pid = pid & 0x1FFF
        let length: UInt16 = try reader.read()
        var descriptors = Descriptors(try reader.reader(of: Int(length & 0xFFF)))
        var language: String?
        var registration: UInt32?
        var described: StreamCodec?
        while var descriptor = try descriptors.next() {
            switch descriptor.tag {
            case Descriptors.Tag.registration: registration = try descriptor.content.read()
            case Descriptors.Tag.language where descriptor.content.remaining >= 4 && language == nil:
                language = ElementaryStream.code(UInt32(truncatingIfNeeded: try descriptor.content.read(octets: 3)))
            case Descriptors.Tag.ac3: described = .ac3
            case Descriptors.Tag.enhancedAC3: described = .enhancedAC3
            default: break
            }
        }
        self.language = language
        self.registration = registration
        let typed = StreamCodec(type: type, registration: registration)
        codec = typed == .other(0x06) ? described ?? typed : typed
    }

    /// - Returns: nil unless three ASCII letters.
    private static func code(_ letters: UInt32) -> String? {
        let octets = [16, 8, 0].map { UInt8(truncatingIfNeeded: letters >> $0) | 0x20 }
        guard octets.allSatisfy({ (0x61...0x7A).contains($0) }) else { return nil }
        return String(decoding: octets, as: UTF8.self)
    }
}
