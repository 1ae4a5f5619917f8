// SPDX-License-Identifier: Apache-2.0
import Buffers
import Bytes
import Foundation
import RTP
import Time
import TransportStream

/// Streams by which settings show their effect.
struct OddStreams {
    let exactPort, faultyPort, lossyPort, tonguesPort, widePort, silentPort: UInt16

    /// - Parameter ports: the first of seven; the second after that of RTP is RTCP's.
    init(ports: UInt16) {
        (faultyPort, exactPort, lossyPort) = (ports, ports + 2, ports + 3)
        (tonguesPort, widePort, silentPort) = (ports + 4, ports + 5, ports + 6)
    }

    private static let packet = 188
    private static let null: [UInt8] = [0x47, 0x1f, 0xff, 0x10] + [UInt8](repeating: 0xff, count: 184)

    /// - Parameter isLosing: whether `Lossy` loses packets.
    func start(_ isLosing: LatestValue<Bool>) throws -> [LoopbackChannel] {
        let film = try Self.film()
        let period = Nanoseconds.milliseconds(40)
        return try [
            LoopbackChannel(port: exactPort, every: period) { Self.exact() },
            LoopbackChannel(datagramsTo: faultyPort, every: period) { Self.faulty() },
            // Every 25th part is lost, and with it a part of a picture.
            LoopbackChannel(port: lossyPort, every: period) {
                { number in
                    let part = film(number)
                    return isLosing.value && number % 25 == 24 ? Array(part.dropFirst(Self.packet)) : part
                }
            },
            LoopbackChannel(port: tonguesPort, every: period) { { number in Self.tongues(film(number)) } },
            // 16 Mbit/s, most of it stuffing.
            LoopbackChannel(port: widePort, every: period) {
                let stuffing = [[UInt8]](repeating: Self.null, count: 430).flatMap { $0 }
                return { number in film(number) + stuffing }
            },
        ]
    }

    /// Gives the parts of the film, again and again.
    private static func film() throws -> @Sendable (Int) -> [UInt8] {
        let stream = [UInt8](try Data(contentsOf: URL(fileURLWithPath: SettingsVenue.film)))
        let step = stream.count / packet / 75 * packet
        return { number in Array(stream.dropFirst(number % 75 * step).prefix(step)) }
    }

    /// A stream of a constant rate, without any picture or sound. Its clock references are wrong by 74 ns in turn.
    /// - Parameter jump: what the clock is ahead after each ten parts, ticks of 27 MHz.
    private static func exact(jump: Int64 = 0) -> (Int) -> [UInt8] {
        var multiplexer = TSMultiplexer(TSMultiplexer.Layout(provider: "Venue", name: "Exact"))
        return { number in
            var out = WireWriter()
            let clock = Int64(number) * 27_000 * 40 + Int64(number / 10) * jump
            multiplexer.writeClock(clock + (number % 2 == 0 ? 2 : -2), to: &out)
            multiplexer.writeDue(clock: clock + 2, to: &out)
            while out.count < 21 * packet { out.write(contentsOf: null) }
            return out.bytes
        }
    }

    // MARK: Faults

    /// The same in RTP, with a clock that jumps. Of every tenth part the association table is damaged, and a damaged
    /// datagram follows one that is missing.
    private static func faulty() -> (Int) -> [[UInt8]] {
        let exact = exact(jump: 27_000_000)
        var sequence: UInt16 = 0
        return { number in
            var octets = exact(number)
            var datagrams: [[UInt8]] = []
            if number % 10 == 0, let table = octets.indices.first(where: { isAssociation(octets, at: $0) }) {
                octets[table + 9] ^= 0xff
            }
            for start in stride(from: 0, to: octets.count, by: 7 * packet) {
                datagrams.append(inRTP(Array(octets[start..<min(start + 7 * packet, octets.count)]), &sequence))
            }
            if number % 10 == 0 {
                sequence &+= 1
                datagrams.append(inRTP(damaged, &sequence))
            }
            return datagrams
        }
    }

    private static func isAssociation(_ octets: [UInt8], at place: Int) -> Bool {
        place % packet == 0 && octets[place + 1] & 0x1f == 0 && octets[place + 2] == 0
    }

    private static func inRTP(_ payload: [UInt8], _ sequence: inout UInt16) -> [UInt8] {
        var out = WireWriter()
        RTPHeader.write(payloadType: 33, sequence: sequence, timestamp: UInt32(sequence) &* 1_200, ssrc: 7, to: &out)
        out.write(contentsOf: payload)
        sequence &+= 1
        return out.bytes
    }

    /// Sound whose continuity breaks, a packet that a link marked, another table in the place of the CAT, and packets
    /// without a sync byte.
    private static var damaged: [UInt8] {
        func sound(_ counter: UInt8) -> [UInt8] {
            [0x47, 0x01, 0x01, 0x10 | counter] + [UInt8](repeating: 0, count: 184)
        }
        let marked: [UInt8] = [0x47, 0x81, 0x01, 0x10] + [UInt8](repeating: 0, count: 184)
        let table: [UInt8] = [0x02, 0xb0, 0x09, 0, 1, 0xc1, 0, 0, 0, 0, 0, 0]
        let foreign: [UInt8] = [0x47, 0x40, 0x01, 0x10, 0] + table + [UInt8](repeating: 0xff, count: 183 - table.count)
        let bad = [UInt8](repeating: 0, count: packet)
        return sound(1) + sound(5) + marked + foreign + bad + bad + null
    }

    // MARK: Languages

    /// The sound twice: in English and, under another PID, in German.
    private static func tongues(_ octets: [UInt8]) -> [UInt8] {
        let streams = [
            ElementaryStream(type: 0x1b, pid: 0x100), ElementaryStream(type: 0x0f, pid: 0x101, language: "eng"),
            ElementaryStream(type: 0x0f, pid: 0x102, language: "deu"),
        ]
        let section = PMT(programNumber: 1, pcrPID: 0x100, streams: streams).section(version: 0)
        var out: [UInt8] = []
        for start in stride(from: 0, to: octets.count - packet + 1, by: packet) {
            var one = Array(octets[start..<start + packet])
            switch Int(one[1] & 0x1f) << 8 | Int(one[2]) {
            case 0x1000:
                out += one[..<3]
                out += [0x10 | one[3] & 0x0f, 0]
                out += section
                out += [UInt8](repeating: 0xff, count: 183 - section.count)
            case 0x101:
                out += one
                one[2] = 0x02
                out += one
            default: out += one
            }
        }
        return out
    }
}
