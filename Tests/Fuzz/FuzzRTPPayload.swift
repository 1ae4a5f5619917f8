// SPDX-License-Identifier: Apache-2.0
import Bytes
import RTP
import Venue

/// The input is a script of packets: flags (1 marker, 2 another time, 4 one is missing, 8 another source), length (one
/// octet), then the payload. Each goes to all depacketizers.
func fuzzRTPPayload(_ bytes: UnsafeRawBufferPointer) {
    let limit = 4_096
    let codings: [ElementaryMedium.Coding] = [
        .h264(parameterSets: [[0x67, 1], [0x68, 2]]), .h264(parameterSets: [], interleavingDepth: 2),
        .hevc(parameterSets: [[0x40, 1], [0x42, 1], [0x44, 1]]), .hevc(parameterSets: [], interleavingDepth: 2),
        .mpegVideo,
    ]
    var pictures = codings.compactMap { PictureDepacketizer($0, limit: limit) }
    var sound = soundCodings.compactMap { try? SoundDepacketizer(medium($0)) }
    precondition(sound.count == soundCodings.count)
    var sum: UInt64 = 0
    var (sequence, time, source) = (UInt16(0), UInt32(0), UInt32(0))
    var rest = bytes[...]
    while rest.count > 2 {
        let (flags, length) = (rest[rest.startIndex], Int(rest[rest.startIndex + 1]))
        let payload = rest.dropFirst(2).prefix(length)
        rest = rest.dropFirst(2 + length)
        sequence &+= flags & 4 == 0 ? 1 : 2
        if flags & 2 != 0 { time &+= 3_000 }
        if flags & 8 != 0 { source &+= 1 }
        var out = WireWriter()
        RTPHeader.write(
            payloadType: 96, hasMarker: flags & 1 != 0, sequence: sequence, timestamp: time, ssrc: source, to: &out)
        (out.bytes + payload).withUnsafeBytes { packet in
            guard let header = try? RTPHeader(packet) else { preconditionFailure("a header of ours") }
            // Every octet delivered is touched, so that the address sanitizer sees a wrong range.
            for index in pictures.indices {
                pictures[index].push(header, in: packet) { _, unit in
                    precondition((1...limit).contains(unit.count))
                    for octet in unit { sum &+= UInt64(octet) }
                }
            }
            for index in sound.indices {
                sound[index].push(header, in: packet) { _, unit in
                    precondition((1...16_384).contains(unit.count))
                    for octet in unit { sum &+= UInt64(octet) }
                }
            }
        }
    }
    for index in pictures.indices { pictures[index].flush { _, unit in precondition(unit.count <= limit) } }
}

private let soundCodings: [ElementaryMedium.Coding] = [
    aac([0x11, 0x90]), .latm(configuration: [0x40, 0, 0x23, 0x20, 0x3F, 0xC0]), .latm(configuration: nil),
    .mpegAudio, .ac3, .opus,
]

private func aac(_ configuration: [UInt8]) -> ElementaryMedium.Coding {
    .aac(
        ElementaryMedium.AACFormat(configuration: configuration, sizeLength: 13, indexLength: 3, indexDeltaLength: 3))
}

private func medium(_ coding: ElementaryMedium.Coding) -> ElementaryMedium {
    ElementaryMedium(address: "239.1.1.1", port: 5_004, payloadType: 96, clockRate: 48_000, coding: coding)
}

/// What can be framed is framed, and what LATM describes has a head.
func fuzzAudioSpecificConfig(_ bytes: UnsafeRawBufferPointer) {
    guard let config = try? AudioSpecificConfig(bytes) else { return }  // refusing is an answer
    for channels in 0...9 {
        guard let framing = config.framing(fallback: channels) else { continue }
        var frame: [UInt8] = []
        framing.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(ADTSFrame.largestPayload)), to: &frame)
        precondition(frame.count <= bytes.count + ADTSFrame.headerOctets && frame[0] == 0xFF)
    }
    if (try? SoundDepacketizer(medium(aac(Array(bytes))))) != nil { precondition(config.framing() != nil) }
    if let config = try? StreamMuxConfig(bytes) { precondition((1...64).contains(config.subframes)) }
}
