// SPDX-License-Identifier: Apache-2.0
import Bytes
import RTP

/// The input is a script of packets: flags (1 marker, 2 another time, 4 one is missing, 8 another source), length (one
/// octet), then the payload. Each goes to both depacketizers.
func fuzzRTPPayload(_ bytes: UnsafeRawBufferPointer) {
    let limit = 4_096
    var pictures = H264Depacketizer(parameterSets: [[0x67, 1], [0x68, 2]], limit: limit)
    let config = ([0x11, 0x90] as [UInt8]).withUnsafeBytes { try? AudioSpecificConfig($0) }
    guard let config, let framing = try? AACFraming(),
        var sound = try? AACDepacketizer(config: config, framing: framing)
    else { preconditionFailure("a configuration of ours") }
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
            pictures.push(header, in: packet) { _, unit in
                precondition((5...limit).contains(unit.count))
                for octet in unit { sum &+= UInt64(octet) }
            }
            sound.push(header, in: packet) { _, unit in
                precondition((8...8_191).contains(unit.count))
                for octet in unit { sum &+= UInt64(octet) }
            }
        }
    }
    pictures.flush { _, unit in precondition(unit.count <= limit) }
}

/// What can be framed is framed.
func fuzzAudioSpecificConfig(_ bytes: UnsafeRawBufferPointer) {
    guard let config = try? AudioSpecificConfig(bytes) else { return }  // refusing is an answer
    for channels in 0...9 {
        guard let framing = config.framing(fallback: channels) else { continue }
        var frame: [UInt8] = []
        framing.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(ADTSFrame.largestPayload)), to: &frame)
        precondition(frame.count <= bytes.count + ADTSFrame.headerOctets && frame[0] == 0xFF)
    }
    guard let framing = try? AACFraming(), (try? AACDepacketizer(config: config, framing: framing)) != nil else {
        return  // as above
    }
    precondition(config.framing() != nil)
}
