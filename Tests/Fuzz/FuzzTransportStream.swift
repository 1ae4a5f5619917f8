// SPDX-License-Identifier: Apache-2.0
import TransportStream

/// Touches every octet delivered, so that the address sanitizer sees a wrong range.
private struct TouchingSink: AccessUnitSink {
    var sum: UInt64 = 0
    var splitter = ADTSSplitter()

    mutating func videoUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        for octet in bytes { sum &+= UInt64(octet) }
        for nal in NALUnits(bytes) where nal.type == NALUnit.Kind.sequenceParameters {
            _ = try? H264SPS(bytes, in: nal.range)  // refusing is an answer
        }
    }

    mutating func audioUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        var total = sum
        splitter.push(bytes, pts: unit.pts, lost: unit.isDamaged) { _, frame in
            for octet in frame { total &+= UInt64(octet) }
        }
        sum = total
    }

    mutating func programChanged(_ program: Program?) {}
}

func fuzzTransportStream(_ bytes: UnsafeRawBufferPointer) {
    var sink = TouchingSink()
    var demultiplexer = TSDemultiplexer(videoLimit: 64 << 10)
    demultiplexer.push(datagram: bytes, to: &sink)
    demultiplexer.flush(to: &sink)
    var scanner = RandomAccessScanner()
    var framer = TSStreamFramer()
    framer.push(bytes) { bytes, offset in
        guard let packet = try? TSPacket(bytes, at: offset) else { return }  // likewise
        _ = scanner.inspect(packet, in: bytes)
    }
    framer.finish { _, _ in }
    // Without the packets around them, mutations reach the inner parsers sooner.
    let everything = 0..<bytes.count
    _ = try? PAT(bytes)
    _ = try? PMT(bytes)
    _ = try? SDT(bytes)
    _ = try? PESHeader(bytes, in: everything)
    _ = try? H264SPS(bytes, in: everything)
    _ = DVBText.decode(bytes)
    for range in H264AccessUnits(bytes) {
        _ = H264AccessUnit.inspect(UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
    sink.audioUnit(PESUnit(streamID: 0xC0), in: bytes)
}
