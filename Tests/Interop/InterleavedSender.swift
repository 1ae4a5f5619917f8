// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Sends H.264 in the interleaved mode of RFC 6184, which no program of others sends. Of each four pictures, which have
/// two slices each, all first slices come before all second ones. Each packet has a header extension and padding.
final class InterleavedSender: @unchecked Sendable {
    // Sendable: `isOver` is touched under `lock` only, the rest by the thread alone.

    /// Slices before the second one of a group's first picture that are decoded after it.
    static let depth = picturesPerGroup - 1
    private static let picturesPerGroup = 4
    private static let mostOctets = 1_200

    private struct Unit {
        let octets: ArraySlice<UInt8>
        var isSlice: Bool { (1...5).contains(octets[octets.startIndex] & 0x1F) }
    }

    /// A slice, and what comes before it in its picture.
    private struct Part {
        let head: [Unit]
        let slice: Unit
        /// Decoding order number of its first unit.
        let number: UInt16
        let ticks: UInt32
        let endsPicture: Bool
    }

    private let lock = NSLock()
    private var isOver = false
    private let parts: [Part]
    private let socket: DatagramSender
    private var sequence: UInt16 = 65_400

    /// - Parameter path: H.264 in annex B form without B pictures, two slices to a picture.
    init(_ path: String, to group: Group) throws {
        parts = Self.parts(of: Array(FileManager.default.contents(atPath: path) ?? Data()))
        guard parts.count > 100 else { throw VenueError("\(path) is no H.264 of two slices to a picture") }
        socket = try DatagramSender(to: group)
        Thread.detachNewThread { [self] in run() }
    }

    func end() { lock.withLock { isOver = true } }

    static func description(_ name: String, _ group: Group) -> String {
        [
            "v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=\(name)", "c=IN IP4 \(group.address)/1", "t=0 0",
            "m=video \(group.port) RTP/AVP 96", "a=rtpmap:96 H264/90000",
            "a=fmtp:96 packetization-mode=2; sprop-interleaving-depth=\(depth); sprop-deint-buf-req=200000",
        ].map { $0 + "\r\n" }.joined()
    }

    private static func parts(of bytes: [UInt8]) -> [Part] {
        let starts = bytes.indices.dropLast(3).filter {
            bytes[$0] == 0 && bytes[$0 + 1] == 0 && bytes[$0 + 2] == 1
        }
        var parts: [Part] = []
        var head: [Unit] = []
        // The numbers wrap in the second group.
        var number: UInt16 = 65_520
        for (index, start) in starts.enumerated() {
            var end = index + 1 < starts.count ? starts[index + 1] : bytes.count
            while end > start + 4, bytes[end - 1] == 0 { end -= 1 }
            let unit = Unit(octets: bytes[start + 3..<end])
            guard unit.isSlice else {
                head.append(unit)
                continue
            }
            let ticks = UInt32(parts.count / 2 * 90_000 / CountedVideo.rate)
            parts.append(
                Part(head: head, slice: unit, number: number, ticks: ticks, endsPicture: parts.count % 2 == 1))
            number &+= UInt16(head.count + 1)
            head = []
        }
        return parts
    }

    private func run() {
        let inGroup = 2 * Self.picturesPerGroup
        var due = ContinuousClock.now
        for group in stride(from: 0, to: parts.count - inGroup + 1, by: inGroup) {
            for place in [0, 2, 4, 6, 1, 3, 5, 7] {
                guard !lock.withLock({ isOver }) else { return }
                send(parts[group + place])
                due += .milliseconds(500 / CountedVideo.rate)
                let rest = due - .now
                if rest > .zero { Thread.sleep(forTimeInterval: rest / .seconds(1)) }
            }
        }
    }

    private func send(_ part: Part) {
        if !part.head.isEmpty {
            // STAP-B
            let units = part.head.flatMap { [UInt8](bigEndian: UInt16($0.octets.count)) + $0.octets }
            send([0x79] + [UInt8](bigEndian: part.number) + units, of: part)
        }
        let number = [UInt8](bigEndian: part.number &+ UInt16(part.head.count))
        let octets = part.slice.octets
        guard octets.count > Self.mostOctets else {
            // MTAP16 with one unit, whose differences to number and time are 0.
            let unit = [UInt8](bigEndian: UInt16(octets.count)) + [0, 0, 0] + octets
            return send([0x7A] + number + unit, of: part, hasMarker: part.endsPicture)
        }
        // FU-B, then FU-A.
        let header = octets[octets.startIndex]
        let rest = octets.dropFirst()
        for start in stride(from: rest.startIndex, to: rest.endIndex, by: Self.mostOctets) {
            let end = min(start + Self.mostOctets, rest.endIndex)
            let (isFirst, isLast) = (start == rest.startIndex, end == rest.endIndex)
            let flags = (isFirst ? 0x80 : 0) | (isLast ? 0x40 : 0) | header & 0x1F
            let front: [UInt8] = [header & 0x60 | (isFirst ? 29 : 28), flags] + (isFirst ? number : [])
            send(front + rest[start..<end], of: part, hasMarker: isLast && part.endsPicture)
        }
    }

    private func send(_ payload: [UInt8], of part: Part, hasMarker: Bool = false) {
        let header = [0xB0, hasMarker ? 0xE0 : 0x60] + [UInt8](bigEndian: sequence) + [UInt8](bigEndian: part.ticks)
        let more: [UInt8] = [0xBE, 0xDE, 0, 1, 0x10, 7, 0, 0]
        sequence &+= 1
        // A refusal by the kernel is one more lost datagram.
        try? socket.send(header + [0x12, 0x34, 0x56, 0x79] + more + payload + [0, 0, 0, 4])
    }
}
