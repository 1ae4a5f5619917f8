// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A transport stream of constant bit rate in memory, and where its pictures can be joined. Reads what ffmpeg wrote and
/// no more: our own parsers are what is tested.
struct TransportStreamFile: Sendable {
    struct Entry: Sendable {
        /// Packet in which the picture begins.
        let packet: Int
        /// 90 kHz.
        let pts: Int64
    }

    let bytes: [UInt8]
    /// Random-access points of the video, in order.
    let entries: [Entry]
    var packetCount: Int { bytes.count / 188 }

    init(_ video: CountedVideo, videoPID: Int = 0x100) throws {
        guard let data = FileManager.default.contents(atPath: video.path), data.count % 188 == 0 else {
            throw VenueError("\(video.path) is no transport stream")
        }
        self.init(bytes: Array(data), videoPID: videoPID)
    }

    /// Looks for the random-access points.
    init(bytes: [UInt8], videoPID: Int) {
        self.bytes = bytes
        entries = stride(from: 0, to: bytes.count, by: 188).compactMap { start in
            let pid = Int(bytes[start + 1] & 0x1f) << 8 | Int(bytes[start + 2])
            let (startsUnit, hasField) = (bytes[start + 1] & 0x40 != 0, bytes[start + 3] & 0x20 != 0)
            guard pid == videoPID, startsUnit, hasField, bytes[start + 4] > 0, bytes[start + 5] & 0x40 != 0 else {
                return nil
            }
            let stamp = start + 5 + Int(bytes[start + 4]) + 9  // adaptation field; PES header's fixed part
            let high = Int64(bytes[stamp] >> 1 & 0x07) << 30
            let middle = Int64(Int(bytes[stamp + 1]) << 7 | Int(bytes[stamp + 2] >> 1)) << 15
            return Entry(
                packet: start / 188, pts: high | middle | Int64(Int(bytes[stamp + 3]) << 7 | Int(bytes[stamp + 4] >> 1))
            )
        }
    }

    /// - Parameter seed: of what is at random.
    func with(_ fault: StreamFault, seed: UInt64) -> TransportStreamFile {
        var (falsified, state) = ([UInt8](), StreamFault.State(seed: seed))
        falsified.reserveCapacity(bytes.count)
        for index in 0..<packetCount {
            var packet = TransportPacket(octets: Array(bytes[index * 188..<index * 188 + 188]))
            fault.apply(to: &packet, at: index, state: &state)
            falsified += packet.octets
        }
        return TransportStreamFile(bytes: falsified, entries: entries)
    }

    /// As a broadcast multiplexer sends it: each packet of sound so much later than the pictures of its instant, or earlier,
    /// in the place of a null packet. Everything else stays where it is.
    func sendingSound(later milliseconds: Int) -> TransportStreamFile {
        var (moved, next) = (bytes, 0)
        let shift = milliseconds * CountedVideo.kilobits / (188 * 8)
        func pid(_ index: Int, in octets: [UInt8]) -> Int {
            Int(octets[index * 188 + 1] & 0x1f) << 8 | Int(octets[index * 188 + 2])
        }
        let sound = (0..<packetCount).filter { pid($0, in: bytes) == StreamFault.sound }
        for index in sound { moved.replaceSubrange(index * 188..<index * 188 + 188, with: TransportPacket.null.octets) }
        for index in sound {
            next = max(next, index + shift)
            while next < packetCount, pid(next, in: moved) != 0x1fff { next += 1 }
            guard next < packetCount else { break }
            moved.replaceSubrange(next * 188..<next * 188 + 188, with: bytes[index * 188..<index * 188 + 188])
            next += 1
        }
        return TransportStreamFile(bytes: moved, entries: entries)
    }

    /// The channel configuration in the map's descriptor of Opus (ETSI TS 101 154 annex: extension 0x80).
    func announcing(opusChannels: UInt8) -> TransportStreamFile {
        var falsified = bytes
        for index in 0..<packetCount {
            var packet = TransportPacket(octets: Array(bytes[index * 188..<index * 188 + 188]))
            guard packet.pid == StreamFault.map, packet.startsUnit else { continue }
            packet.changeSection { section in
                for place in 0..<section.count - 3 where section[place..<place + 3].elementsEqual([0x7f, 2, 0x80]) {
                    section[place + 3] = opusChannels
                }
            }
            falsified.replaceSubrange(index * 188..<index * 188 + 188, with: packet.octets)
        }
        return TransportStreamFile(bytes: falsified, entries: entries)
    }

    /// As many multiplexers count: packets without payload raise the counter too. There are more of them, on the PID of the
    /// pictures, in the place of null packets.
    func countingPacketsWithoutPayload() -> TransportStreamFile {
        var (changed, counter) = (bytes, UInt8(0))
        for index in 0..<packetCount {
            let place = index * 188..<index * 188 + 188
            var packet = TransportPacket(octets: Array(bytes[place]))
            if packet.pid == 0x1fff, index % 10 == 0 {
                packet.pid = StreamFault.video
                // Nothing but an adaptation field of 183 octets without flags.
                packet.octets.replaceSubrange(3..<6, with: [0x20, 183, 0])
            }
            guard packet.pid == StreamFault.video else { continue }
            packet.counter = counter
            counter &+= 1
            changed.replaceSubrange(place, with: packet.octets)
        }
        return TransportStreamFile(bytes: changed, entries: entries)
    }

    init(bytes: [UInt8], entries: [Entry]) {
        self.bytes = bytes
        self.entries = entries
    }

    /// What the stream never has a random-access point behind: its first second left out.
    func withoutBeginning() -> TransportStreamFile {
        let first = packetCount / 8
        return TransportStreamFile(bytes: Array(bytes[(first * 188)...]), entries: [Entry(packet: 0, pts: 0)])
    }

    /// Seven packets from this one on, from the start again behind the end.
    func payload(at packet: Int) -> [UInt8] {
        (0..<7).flatMap { index in
            let start = (packet + index) % packetCount * 188
            return bytes[start..<start + 188]
        }
    }
}
