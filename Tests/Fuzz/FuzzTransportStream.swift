// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time
import TransportStream
import Venue

func fuzzTransportStream(_ bytes: UnsafeRawBufferPointer) {
    var sink = TouchingSink()
    var demultiplexer = TSDemultiplexer(videoLimit: 64 << 10)
    demultiplexer.push(datagram: bytes, to: &sink)
    demultiplexer.flush(to: &sink)
    // Once more from the start, in the last program and in another language.
    let named = demultiplexer.services.last.map { ProgramChoice.name($0.name) }
    let last = named ?? demultiplexer.programs.last.map { .number($0) }
    demultiplexer.choose(program: last, audioLanguage: "fra", to: &sink)
    demultiplexer.restart()
    demultiplexer.push(datagram: bytes, to: &sink)
    demultiplexer.flush(to: &sink)
    precondition(sink.octets <= 2 * bytes.count)
    var scanner = RandomAccessScanner()
    var framer = TSFramer()
    var monitor = StreamMonitor()
    var now = Monotonic(nanoseconds: 0)
    var end = 0
    framer.forEachPacket(in: bytes) { offset in
        now += .milliseconds(90)
        monitor.datagramReceived(at: now)
        monitor.packetsMissed(in: end..<offset, of: bytes)
        monitor.packetFound()
        end = offset + TSPacket.size
        guard let packet = try? TSPacket(bytes, at: offset) else { return }  // refusing is an answer
        _ = scanner.inspect(packet, in: bytes)
        monitor.packetReceived(packet, in: bytes, at: now) { scanner.ledger }
    }
    monitor.tick(at: now + .seconds(10))
    join(bytes)
}

/// The input in datagrams of a length that its first octet says: no octet is passed on twice, or not at all.
private func join(_ bytes: UnsafeRawBufferPointer) {
    var joiner = PacketJoiner()
    var joined = 0
    let size = 1 + Int(bytes.first ?? 0) * 8
    for start in stride(from: 0, to: bytes.count, by: size) {
        let datagram = UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + size)])
        joiner.join(datagram, afterLoss: false) { joined += $0.count }
    }
    joiner.abandon()
    precondition(joined + Int(joiner.abandonedOctets) == bytes.count)
}

/// What the packets carry. Without them around it, mutations reach the inner parsers sooner.
func fuzzElementaryStream(_ bytes: UnsafeRawBufferPointer) {
    _ = try? PAT(bytes)
    _ = try? PMT(bytes)
    _ = try? SDT(bytes)
    _ = try? PESHeader(bytes, in: 0..<bytes.count)
    _ = DVBText.decode(bytes)
    var reader = WireReader(bytes)
    _ = try? TimelineDescriptor(from: &reader)
    _ = H264AccessUnit.inspect(bytes)
    for codec: UInt8 in [0x1B, 0x24, 0x02] { fuzzCodec(bytes, type: codec, registration: nil) }
    for registration: UInt32 in [0x4F70_7573, 0x4657_4854] {
        fuzzCodec(bytes, type: 0x06, registration: registration)
    }
}

/// The input as elementary stream of one codec: a PES header and as many packets as it takes.
private func fuzzCodec(_ bytes: UnsafeRawBufferPointer, type: UInt8, registration: UInt32?) {
    let stream = ElementaryStream(type: type, pid: 0x100, registration: registration, channels: 2)
    var feed = PacketFeed(stream)
    precondition(feed.demultiplexer.program?.streams.first?.codec.isSupported == true)
    feed.push([0, 0, 1, 0xE0, 0, 0, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1] + bytes, pid: stream.pid)
    feed.demultiplexer.flush(to: &feed.sink)
    precondition(feed.sink.octets <= bytes.count + 184)
}
