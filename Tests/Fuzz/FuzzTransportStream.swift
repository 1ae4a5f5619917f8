// SPDX-License-Identifier: Apache-2.0
import TransportStream

/// Touches every octet delivered, so that the address sanitizer sees a wrong range.
private struct TouchingSink: AccessUnitSink {
    var sum: UInt64 = 0
    var octets = 0

    mutating func videoUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        octets += bytes.count
        for octet in bytes { sum &+= UInt64(octet) }
    }

    mutating func audioUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) { videoUnit(unit, in: bytes) }

    mutating func programChanged(_ program: Program?) {
        guard let program else { return }
        precondition(program.video == nil || program.video?.pid != program.audio?.pid)
    }
}

func fuzzTransportStream(_ bytes: UnsafeRawBufferPointer) {
    var sink = TouchingSink()
    var demultiplexer = TSDemultiplexer(videoLimit: 64 << 10)
    demultiplexer.push(datagram: bytes, to: &sink)
    demultiplexer.flush(to: &sink)
    // Once more from the start, in the last program and in another language.
    demultiplexer.choose(program: demultiplexer.programs.last, audioLanguage: "fra", to: &sink)
    demultiplexer.restart()
    demultiplexer.push(datagram: bytes, to: &sink)
    demultiplexer.flush(to: &sink)
    precondition(sink.octets <= 2 * bytes.count)
    var scanner = RandomAccessScanner()
    var framer = TSStreamFramer()
    framer.push(bytes) { bytes, offset in
        guard let packet = try? TSPacket(bytes, at: offset) else { return }  // refusing is an answer
        _ = scanner.inspect(packet, in: bytes)
    }
    framer.finish { _, _ in }
    // Without the packets around them, mutations reach the inner parsers sooner.
    _ = try? PAT(bytes)
    _ = try? PMT(bytes)
    _ = try? SDT(bytes)
    fuzzEvents(bytes)
    _ = try? PESHeader(bytes, in: 0..<bytes.count)
    _ = DVBText.decode(bytes)
    _ = H264AccessUnit.inspect(bytes)
    for codec: UInt8 in [0x1B, 0x24, 0x02] { fuzzElementaryStream(bytes, type: codec, registration: nil) }
    fuzzElementaryStream(bytes, type: 0x06, registration: 0x4F70_7573)
}

/// The input as content of a section with the right length and CRC, which mutations hardly ever keep.
private func fuzzEvents(_ bytes: UnsafeRawBufferPointer) {
    var section = bytes.prefix(4_092) + []
    guard section.count > 3 else { return }
    for (table, marks) in [(EIT.actualTableID, 0xF0), (TimeTable.offsetTableID, 0x70)] as [(UInt8, UInt8)] {
        section[0] = table
        section[1] = marks | UInt8((section.count + 1) >> 8)
        section[2] = UInt8((section.count + 1) & 0xFF)
        let crc = CRC32MPEG.checksum(of: section)
        (section + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) }).withUnsafeBytes { whole in
            _ = try? TimeTable(whole)  // refusing is an answer
            guard let events = try? EIT(whole) else { return }  // likewise
            precondition(events.events.count <= whole.count / 12)
        }
    }
    _ = try? TimeTable(bytes)  // likewise
}

/// The input as elementary stream of one codec: a PES header and as many packets as it takes.
private func fuzzElementaryStream(_ bytes: UnsafeRawBufferPointer, type: UInt8, registration: UInt32?) {
    let stream = ElementaryStream(type: type, pid: 0x100, registration: registration, channels: 2)
    let association = PAT(transportStreamID: 1, programs: [PAT.Program(number: 1, mapPID: 0x1000)])
    let map = PMT(programNumber: 1, pcrPID: nil, streams: [stream])
    var sink = TouchingSink()
    var demultiplexer = TSDemultiplexer(videoLimit: 4_096)
    func push(_ content: [UInt8], pid: UInt16) {
        for place in stride(from: 0, to: content.count, by: 184) {
            let part = content[place..<min(content.count, place + 184)]
            let filling = Array(repeating: UInt8(0xFF), count: 184 - part.count)
            let head: [UInt8] = [
                0x47, (place == 0 ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 0xFF),
                0x10 | UInt8(place / 184 & 0xF),
            ]
            (head + part + filling).withUnsafeBytes { demultiplexer.push(datagram: $0, to: &sink) }
        }
    }
    push([0] + association.section(version: 0), pid: 0)
    push([0] + map.section(version: 0), pid: 0x1000)
    precondition(demultiplexer.program?.streams.first?.codec.isSupported == true)
    push([0, 0, 1, 0xE0, 0, 0, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1] + bytes, pid: 0x100)
    demultiplexer.flush(to: &sink)
    precondition(sink.octets <= bytes.count + 184)
}
