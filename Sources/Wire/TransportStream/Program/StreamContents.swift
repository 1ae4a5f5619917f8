// SPDX-License-Identifier: Apache-2.0
import Bytes

/// What the streams of a program carry, where that is not what its map says. Some maps call LATM AAC with ADTS, or AC-3
/// private data without a descriptor.
///
/// Only the beginnings of PES packets are looked at, and pictures are believed where the stream_id is one for pictures. A
/// stream whose PES packets begin with nothing that is known remains
/// what its map says.
struct StreamContents: Sendable {
    private struct Entry: Sendable {
        let pid: UInt16
        let type: UInt8
        /// The codec that the last PES packets began with, if it is not the listed one, and how many did.
        var other: StreamCodec?
        var others = 0
        /// PES packets that began with the listed codec.
        var asListed = 0
        /// PES packets that were looked at.
        var looks = 0
        var found: StreamCodec?
    }

    /// So many PES packets in a row begin with another codec before it is believed: of a stream that could be played as the
    /// map says, and of one that could not.
    private static let proof = (ofKnown: 3, ofUnknown: 2)
    /// A stream is looked at until so many PES packets begin as the map says, or this many have come in all.
    private static let most = (asListed: 8, looks: 512)

    private var entries: [Entry] = []

    /// Follows another map of the same program: what is known of a stream stays.
    mutating func follow(_ streams: [ElementaryStream]) {
        entries = streams.map { stream in
            entries.first { $0.pid == stream.pid && $0.type == stream.type }
                ?? Entry(pid: stream.pid, type: stream.type)
        }
    }

    /// The streams as they are.
    /// - Parameter streams: those that were followed.
    func correct(_ streams: [ElementaryStream]) -> [ElementaryStream] {
        streams.map { stream in
            let entry = entries.first { $0.pid == stream.pid && $0.type == stream.type }
            return entry?.found.map { stream.carrying($0) } ?? stream
        }
    }

    /// - Parameters:
    ///   - packet: one in which a PES packet begins.
    ///   - streams: those that were followed, as the map has them.
    /// - Returns: whether another codec was found.
    mutating func look(at packet: TSPacket, in bytes: UnsafeRawBufferPointer, of streams: [ElementaryStream]) -> Bool {
        guard packet.hasPayload, !packet.isScrambled,
            let place = entries.firstIndex(where: { $0.pid == packet.pid }), place < streams.count,
            entries[place].found == nil, entries[place].looks < Self.most.looks,
            entries[place].asListed < Self.most.asListed
        else { return false }
        entries[place].looks += 1
        // A packet without a whole header says nothing.
        guard let header = try? PESHeader(bytes, in: packet.payload),
            let codec = StreamCodec(beginning: UnsafeRawBufferPointer(rebasing: bytes[header.data])),
            codec.isVideo == (0xE0...0xEF).contains(header.streamID)
        else { return false }
        let listed = streams[place].codec
        guard !codec.isPlayed(as: listed) else {
            entries[place].asListed += 1
            entries[place].others = 0
            return false
        }
        entries[place].others = entries[place].other == codec ? entries[place].others + 1 : 1
        entries[place].other = codec
        // The next parameter sets may be seconds away.
        let proof = listed.isSupported ? Self.proof.ofKnown : codec.isVideo ? 1 : Self.proof.ofUnknown
        guard entries[place].others >= proof else { return false }
        entries[place].found = codec
        return true
    }
}

extension StreamCodec {
    /// The codec of which frames, or coded pictures, begin with these octets; nil if they say nothing.
    init?(beginning data: UnsafeRawBufferPointer) {
        guard data.count >= 6 else { return nil }
        let found = StreamCodec.sound(data) ?? StreamCodec.pictures(data)
        guard let found else { return nil }
        self = found
    }

    private static func sound(_ data: UnsafeRawBufferPointer) -> StreamCodec? {
        switch (data[0], data[1]) {
        // AC-3 and E-AC-3: syncword, and bsid behind crc1, fscod and frmsizecod (ETSI TS 102 366 4.3, E.1.2).
        case (0x0B, 0x77):
            switch data[5] >> 3 {
            case 0...10: return .ac3
            case 11...16: return .enhancedAC3
            default: return nil
            }
        // LOAS AudioSyncStream: eleven bits (ISO/IEC 14496-3 1.7.2).
        case (0x56, 0xE0...0xFF): return .latm
        case (0xFF, 0xE0...0xFF):
            let isLayerZero = data[1] & 0x06 == 0
            let rate = isLayerZero ? data[2] >> 2 & 0x0F : data[2] >> 2 & 0x03
            // ADTS: layer 0 and twelve bits of syncword; sampling_frequency_index 13 to 15 are no rates.
            if isLayerZero { return data[1] & 0xF0 == 0xF0 && rate <= 12 ? .adts : nil }
            // MPEG audio: version 1, bit rate 15 and sampling rate 3 are reserved (ISO/IEC 11172-3 2.4.2.3).
            return data[1] & 0x18 != 0x08 && data[2] >> 4 != 15 && rate != 3 ? .mpegAudio : nil
        default: return nil
        }
    }

    /// By parameter sets, delimiters and sequence headers, which no other codec has.
    private static func pictures(_ data: UnsafeRawBufferPointer) -> StreamCodec? {
        let code = data[0] == 0 && data[1] == 0 ? data[2] == 1 ? 3 : data[2] == 0 && data[3] == 1 ? 4 : nil : nil
        guard let code, code + 1 < data.count else { return nil }
        switch (data[code], data[code + 1]) {
        case (0x40, 0x01), (0x42, 0x01), (0x44, 0x01), (0x46, 0x01): return .hevc
        case (0x09, _), (0x27, _), (0x47, _), (0x67, _): return .h264
        case (0xB3, _): return .mpeg2Video
        default: return nil
        }
    }

    /// Whether a stream that is listed so is what begins as this codec does: MPEG-1 begins with a sequence header as well.
    fileprivate func isPlayed(as listed: StreamCodec) -> Bool {
        self == listed || self == .mpeg2Video && listed == .mpeg1Video
    }
}
