// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How a sender puts packets of a transport stream into datagrams.
struct StreamFraming: Sendable {
    /// RTP payload type; nil for packets directly in UDP.
    var payloadType: UInt8? = 33
    var packetsPerDatagram = 7
    /// Octets before and behind each packet.
    var before: [UInt8] = []
    var behind: [UInt8] = []
    /// An extension of RTP's header, and padding behind its payload.
    var isPadded = false
    /// The first sequence number and the first time stamp.
    var sequence: UInt16 = 1
    var firstTicks: UInt32 = 0
    /// Changes each packet.
    var change: @Sendable (inout TransportPacket) -> Void = { _ in }
    /// How often each datagram comes.
    var copies = 1
    /// Length of the datagrams where their ends cut packets, without RTP; nil if each has whole packets.
    var cutLength: Int?
    /// Whether datagram number N is lost on the way.
    var isLost: @Sendable (Int) -> Bool = { _ in false }

    /// RFC 3550 5.1.
    func datagram(_ packets: [UInt8], number: Int, ticks: UInt32) -> [UInt8] {
        var payload: [UInt8] = []
        for start in stride(from: 0, to: packets.count, by: 188) {
            var packet = TransportPacket(octets: Array(packets[start..<start + 188]))
            change(&packet)
            payload += before + packet.octets + behind
        }
        guard let payloadType else { return payload }
        var datagram: [UInt8] = [isPadded ? 0xB0 : 0x80, payloadType]
        datagram += [UInt8](bigEndian: sequence &+ UInt16(truncatingIfNeeded: number))
        datagram += [UInt8](bigEndian: firstTicks &+ ticks)
        datagram += [0x12, 0x34, 0x56, 0x78]
        if isPadded { datagram += [0xBE, 0xDE, 0, 1, 0x10, 7, 0, 0] }
        datagram += payload
        if isPadded { datagram += [0, 0, 0, 4] }
        return datagram
    }
}

/// Sends a transport stream of constant rate again and again, in any framing.
final class FramedSender: @unchecked Sendable {
    // Sendable: `isOver` is touched under `lock` only, the rest by the thread alone.
    private let lock = NSLock()
    private var isOver = false
    private let file: TransportStreamFile
    private let framing: StreamFraming
    private let socket: DatagramSender

    init(_ file: TransportStreamFile, _ framing: StreamFraming, to group: Group) throws {
        (self.file, self.framing) = (file, framing)
        socket = try DatagramSender(to: group)
        Thread.detachNewThread { [self] in run() }
    }

    func end() { lock.withLock { isOver = true } }

    /// Sends all octets, or as many whole datagrams of a given length as there are.
    private func send(_ octets: inout [UInt8]) {
        let length = framing.cutLength ?? octets.count
        while !octets.isEmpty, octets.count >= length {
            // A refusal by the kernel is one more lost datagram.
            for _ in 0..<framing.copies { try? socket.send(Array(octets.prefix(length))) }
            octets.removeFirst(length)
        }
    }

    private func run() {
        let count = framing.packetsPerDatagram
        let interval = Duration.nanoseconds(count * 188 * 8 * 1_000_000 / CountedVideo.kilobits)
        var (due, number, packet) = (ContinuousClock.now, 0, 0)
        var rest: [UInt8] = []  // what has not filled a datagram
        while !lock.withLock({ isOver }) {
            let octets = (0..<count).flatMap { index -> ArraySlice<UInt8> in
                let start = (packet + index) % file.packetCount * 188
                return file.bytes[start..<start + 188]
            }
            let ticks = UInt32(truncatingIfNeeded: number * count * 188 * 8 * 90 / CountedVideo.kilobits)
            if !framing.isLost(number) {
                rest += framing.datagram(octets, number: number, ticks: ticks)
                send(&rest)
            }
            (number, packet, due) = (number + 1, packet + count, due + interval)
            let pause = due - .now
            if pause > .zero { Thread.sleep(forTimeInterval: pause / .seconds(1)) }
        }
    }
}
