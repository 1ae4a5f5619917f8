// SPDX-License-Identifier: Apache-2.0
import Bytes

/// An elementary stream in a program map.
///
///     +-------------+---+---------------------+----+------------------+-------------+
///     | stream_type | r | elementary_PID 13   | r  | ES_info_length12 | descriptors |
///     +-------------+---+---------------------+----+------------------+-------------+
public struct ElementaryStream: Sendable, Equatable {
    /// stream_type as sent.
    public let type: UInt8
    public let pid: UInt16
    public let codec: StreamCodec
    /// ISO 639-2, three lower-case letters; nil if not given.
    public let language: String?
    /// audio_type of the language: 0 undefined, 1 clean effects, 2 for the hearing impaired, 3 a commentary for the
    /// visually impaired.
    public let audioType: UInt8
    /// format_identifier of a registration descriptor, such as "AC-3" or "CUEI", as four octets.
    public let registration: UInt32?
    /// Number of channels of Opus, 1...8, which its packets do not state; 0 for other codecs, or if it is not given.
    public let channels: Int
    /// component_tag, by which other tables and companions name the stream; nil if not given.
    public let componentTag: UInt8?

    public init(
        type: UInt8, pid: UInt16, language: String? = nil, audioType: UInt8 = 0, registration: UInt32? = nil,
        channels: Int = 0, componentTag: UInt8? = nil
    ) {
        self.type = type
        self.pid = pid
        self.language = language
        self.audioType = audioType
        self.registration = registration
        self.channels = channels
        self.componentTag = componentTag
        codec = StreamCodec(type: type, registration: registration)
    }

    init(from reader: inout WireReader) throws(WireError) {
        type = try reader.read()
        let pid: UInt16 = try reader.read()
        self.pid = pid & 0x1FFF
        let length: UInt16 = try reader.read()
        var descriptors = Descriptors(try reader.reader(of: Int(length & 0xFFF)))
        var language: (code: String?, audioType: UInt8)?
        var registration: UInt32?
        var described: StreamCodec?
        var channels = 0
        var componentTag: UInt8?
        while var descriptor = try descriptors.next() {
            switch descriptor.tag {
            case Descriptors.Tag.registration: registration = try descriptor.content.read()
            case Descriptors.Tag.language where descriptor.content.remaining >= 4 && language == nil:
                let letters = UInt32(truncatingIfNeeded: try descriptor.content.read(octets: 3))
                language = (LanguageCode.letters(letters), try descriptor.content.read())
            case Descriptors.Tag.streamIdentifier where descriptor.content.remaining >= 1:
                componentTag = try descriptor.content.read()
            case Descriptors.Tag.ac3: described = .ac3
            case Descriptors.Tag.enhancedAC3: described = .enhancedAC3
            case Descriptors.Tag.dts: described = .other(0x82)
            case Descriptors.Tag.aac: described = .latm  // in PES private data AAC is LATM (TS 101 154 4.1.6)
            case Descriptors.Tag.extension where descriptor.content.remaining >= 2:
                let (tag, code): (UInt8, UInt8) = (try descriptor.content.read(), try descriptor.content.read())
                // Code 0 is dual mono: two independent channels.
                if tag == Descriptors.Tag.opus, code <= 8 { channels = code == 0 ? 2 : Int(code) }
            default: break
            }
        }
        self.componentTag = componentTag
        self.language = language?.code
        audioType = language?.audioType ?? 0
        self.registration = registration
        let typed = StreamCodec(type: type, registration: registration)
        codec = typed == .other(0x06) ? described ?? typed : typed
        self.channels = codec == .opus ? channels : 0
    }
}
