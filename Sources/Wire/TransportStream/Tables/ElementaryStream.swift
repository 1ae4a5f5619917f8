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
    public private(set) var codec: StreamCodec
    /// The codec that the map says, if the stream carries another; nil if it carries that.
    public private(set) var listedCodec: StreamCodec?
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

    /// The stream, in which another codec was found than its map says.
    func carrying(_ found: StreamCodec) -> ElementaryStream {
        var stream = self
        stream.listedCodec = listedCodec ?? codec
        stream.codec = found
        return stream
    }

    /// Whether the sound is the programme's with a description for the visually impaired, or that description alone:
    /// by its audio_type, or by a language that broadcasters use for it: "nar" in Great Britain, "qad" in France.
    public var isAudioDescription: Bool { audioType == 3 || language == "nar" || language == "qad" }

    /// - Parameter programRegistration: format_identifier of the whole program; nil if there is none.
    /// - Parameter isWhole: becomes false if a descriptor could not be read, which costs that descriptor alone.
    /// - Throws: only if not even the PID and the length of the descriptors are there.
    init(from reader: inout WireReader, programRegistration: UInt32? = nil, isWhole: inout Bool) throws(WireError) {
        type = try reader.read()
        let pid: UInt16 = try reader.read()
        self.pid = pid & 0x1FFF
        let length: UInt16 = try reader.read()
        var descriptors = Descriptors(from: &reader, length: Int(length & 0xFFF))
        var content = StreamDescription()
        if !descriptors.forEach({ (tag, reader) throws(WireError) in try content.add(tag, from: &reader) }) {
            isWhole = false
        }
        componentTag = content.componentTag
        language = content.language
        // In a stream of another type the tags of ATSC are anybody's.
        let isATSC = [0x81, 0x87].contains(type)
        audioType = isATSC && content.serviceOfATSC == 2 ? 3 : content.audioType
        registration = content.registration
        let typed = StreamCodec(
            type: type, registration: content.registration, programRegistration: programRegistration)
        codec = typed == .other(0x06) ? content.codec ?? typed : typed
        channels = codec == .opus ? content.channels : 0
    }
}

/// What the descriptors of a stream say of it.
private struct StreamDescription {
    var language: String?
    var audioType: UInt8 = 0
    var registration: UInt32?
    /// The codec of PES private data.
    var codec: StreamCodec?
    var channels = 0
    var componentTag: UInt8?
    /// bsmod, or audio_service_type: 2 is for the visually impaired (ATSC A/52 table 5.7, annex A; annex G).
    var serviceOfATSC: UInt8?

    private var hasLanguage = false

    mutating func add(_ tag: UInt8, from content: inout WireReader) throws(WireError) {
        switch tag {
        case Descriptors.Tag.registration: registration = try content.read()
        case Descriptors.Tag.language where !hasLanguage: try readLanguage(from: &content)
        case Descriptors.Tag.streamIdentifier: componentTag = try content.read()
        case Descriptors.Tag.ac3:
            codec = .ac3
            try readService(from: &content)
        case Descriptors.Tag.enhancedAC3:
            codec = .enhancedAC3
            try readService(from: &content)
        case Descriptors.Tag.dts: codec = .other(0x82)
        case Descriptors.Tag.aac:
            codec = .latm  // in PES private data AAC is LATM (TS 101 154 4.1.6)
            try readAACType(from: &content)
        case Descriptors.Tag.ac3OfATSC where content.remaining >= 3:
            let fields = try content.read(octets: 3)
            serviceOfATSC = UInt8(truncatingIfNeeded: fields >> 5 & 7)
        case Descriptors.Tag.enhancedAC3OfATSC where content.remaining >= 2:
            let fields: UInt16 = try content.read()
            serviceOfATSC = UInt8(truncatingIfNeeded: fields >> 3 & 7)
        case Descriptors.Tag.extension: try readExtension(from: &content)
        default: break
        }
    }

    private mutating func readLanguage(from content: inout WireReader) throws(WireError) {
        let letters = UInt32(truncatingIfNeeded: try content.read(octets: 3))
        let type: UInt8 = try content.read()
        hasLanguage = true
        language = LanguageCode.letters(letters)
        if type != 0 { audioType = type }
    }

    /// component_type of AC-3 (EN 300 468 annex D.3), if it is sent: service type 2 is for the visually impaired.
    private mutating func readService(from content: inout WireReader) throws(WireError) {
        guard !content.isAtEnd else { return }
        let flags: UInt8 = try content.read()
        guard flags & 0x80 != 0 else { return }
        let type: UInt8 = try content.read()
        if type >> 3 & 7 == 2 { audioType = 3 }
    }

    /// AAC_type (EN 300 468 annex H.2.1), if it is sent: the component_types of audio description (table 26).
    private mutating func readAACType(from content: inout WireReader) throws(WireError) {
        guard content.remaining >= 2 else { return }
        let flags: UInt16 = try content.read()
        guard flags & 0x80 != 0, !content.isAtEnd else { return }
        let type: UInt8 = try content.read()
        if [0x40, 0x44, 0x47, 0x48, 0x49, 0x4A].contains(type) { audioType = 3 }
    }

    private mutating func readExtension(from content: inout WireReader) throws(WireError) {
        let tag: UInt8 = try content.read()
        switch tag {
        case Descriptors.Tag.opus:
            let code: UInt8 = try content.read()
            // Code 0 is dual mono: two independent channels.
            if code <= 8 { channels = code == 0 ? 2 : Int(code) }
        case Descriptors.Tag.supplementaryAudio:
            let flags: UInt8 = try content.read()
            switch flags >> 2 & 0x1F {  // editorial_classification
            case 1, 3: audioType = 3  // description, and spoken subtitles, for the visually impaired
            case 2: audioType = 2
            default: break
            }
            guard flags & 1 != 0, language == nil else { return }
            language = LanguageCode.letters(UInt32(truncatingIfNeeded: try content.read(octets: 3)))
        default: break
        }
    }
}
