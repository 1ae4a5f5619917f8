// SPDX-License-Identifier: Apache-2.0
import Announcements
import Bytes
import LineUp
import Time
import Venue

func fuzzSAP(_ bytes: UnsafeRawBufferPointer) {
    guard let packet = try? SAPPacket(parsing: bytes) else { return }  // refusing is an answer; only a trap is not
    precondition(packet.authentication.upperBound <= packet.payload.lowerBound)
    precondition(packet.payload.upperBound == bytes.count)
    // Whatever a decompressor may make of it.
    guard packet.form == .compressed, bytes.count <= SAPPacket.mostInflatedOctets,
        let body = try? SAPPacket.body(inflated: bytes)  // as above
    else { return }
    precondition(body.payload.upperBound == bytes.count)
}

/// What is read can be written, and read again as the same.
func fuzzSDP(_ bytes: UnsafeRawBufferPointer) {
    guard let session = try? SessionDescription(parsing: bytes) else { return }  // as above
    let streams = session.elementaryStreams
    precondition(streams.count <= session.media.count && (session.programme?.transport.port ?? 1) != 0)
    for stream in streams {
        precondition(stream.endpoint.port != 0 && stream.format.clockRate > 0 && stream.format.channels > 0)
        _ = stream.format.parameters.hexadecimal("config")
        _ = stream.format.parameters.base64List("sprop-parameter-sets")
    }
    for media in session.media {
        _ = (media.sourceFlow, session.repairs(of: media))
        precondition((media.repairFlow?.window?.count ?? 1) > 0)
    }
    let text = Array(session.text.utf8)
    // The text may have grown over a bound: tabs into spaces do not, but CR LF for LF does.
    guard let again = text.withUnsafeBytes({ try? SessionDescription(parsing: $0) }) else { return }
    precondition(again.media.count == session.media.count)
}

func fuzzAnnouncement(_ bytes: UnsafeRawBufferPointer) {
    guard let announcement = try? Announcement(decoding: bytes) else { return }  // as above
    // Repair that cannot be used is left out of what is written.
    let isWhole = announcement.unusableRepair == nil
    guard let again = announcement.encoded.withUnsafeBytes({ try? Announcement(decoding: $0) }) else {
        return precondition(announcement.encoded.count > Announcement.mostOctets)
    }
    precondition(again.unusableRepair == nil && again.channel == announcement.channel)
    precondition(!isWhole || again == announcement)
}

/// The input is a script of datagrams: sender, seconds since the last, length (two octets), then the datagram.
func fuzzLineUp(_ bytes: UnsafeRawBufferPointer) {
    var lineUp = LineUp(limits: LineUpLimits(sessions: 4, streamers: 2, refusedSenders: 2))
    var now = Monotonic(nanoseconds: 0)
    var rest = bytes[...]
    while rest.count > 4 {
        let head = Array(rest.prefix(4))
        now += .seconds(Int64(head[1]))
        let datagram = rest.dropFirst(4).prefix(Int(head[2]) << 8 | Int(head[3]))
        rest = rest.dropFirst(4 + datagram.count)
        let sender = NumericAddress(v4: 0x0a00_0000 | UInt32(head[0] & 3))
        _ = lineUp.tick(now: now)
        _ = lineUp.handle(datagram: UnsafeRawBufferPointer(rebasing: datagram), from: sender, at: now)
    }
    let counters = lineUp.counters
    precondition(counters.faults <= counters.announcementsReceived && lineUp.channels.count <= 4)
    precondition(
        counters.channelsAdded - counters.channelsPruned - counters.channelsDeleted - counters.channelsRevoked
            == UInt64(lineUp.channels.count))
    _ = lineUp.tick(now: now + .seconds(86_400))
    precondition(lineUp.channels.isEmpty && lineUp.streamers.isEmpty)
}

/// The input as the body of a compressed announcement, and what it holds as what a compressor without an idea makes of
/// it: damage to the input hardly ever leaves the check of RFC 1950 right.
func fuzzCompressedSAP(_ bytes: UnsafeRawBufferPointer) {
    let head: [UInt8] = [0x21, 0, 0x12, 0x34, 10, 0, 0, 1]
    for body in [Array(bytes), stored(bytes.prefix(65_535))] {
        var lineUp = LineUp()
        (head + body).withUnsafeBytes {
            _ = lineUp.handle(datagram: $0, from: NumericAddress(v4: 0x0a00_0001), at: Monotonic(nanoseconds: 0))
        }
        precondition(lineUp.counters.announcementsReceived == 1 && lineUp.channels.count <= 1)
        precondition(lineUp.counters.faults <= 1)
    }
}

/// RFC 1950 around one stored block of RFC 1951.
private func stored(_ octets: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
    var (low, high) = (UInt32(1), UInt32(0))
    for octet in octets {
        low = (low + UInt32(octet)) % 65_521
        high = (high + low) % 65_521
    }
    var writer = WireWriter(reserving: octets.count + 11)
    writer.write(UInt16(0x7801))
    writer.write(UInt8(1))
    writer.write(UInt16(octets.count).byteSwapped)
    writer.write(~UInt16(octets.count).byteSwapped)
    writer.write(contentsOf: octets)
    writer.write(high << 16 | low)
    return writer.bytes
}
