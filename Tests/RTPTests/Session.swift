// SPDX-License-Identifier: Apache-2.0
import Bytes
import Venue

@testable import RTP

/// Packets as a sender makes them, and what came of them.
struct Session: Sendable {
    struct Unit: Equatable {
        let unit: RTPUnit
        let bytes: [UInt8]
    }

    var packets: [[UInt8]] = []
    var sequence: UInt16 = 65_530
    var source: UInt32 = 9

    mutating func send(_ payload: [UInt8], at timestamp: UInt32, marker: Bool = false) {
        var out = WireWriter()
        RTPHeader.write(
            payloadType: 96, hasMarker: marker, sequence: sequence, timestamp: timestamp, ssrc: source, to: &out)
        packets.append(out.bytes + payload)
        sequence &+= 1
    }

    /// A picture of these NAL units: small ones together in a STAP-A, great ones in FU-A, the marker on the last.
    mutating func send(picture units: [[UInt8]], at timestamp: UInt32, size: Int = 40) {
        var payloads: [[UInt8]] = []
        var aggregate: [UInt8] = []
        for unit in units {
            if unit.count > size {
                for start in stride(from: 1, to: unit.count, by: size) {
                    let part = unit[start..<min(unit.count, start + size)]
                    let flags: UInt8 = (start == 1 ? 0x80 : 0) | (part.endIndex == unit.count ? 0x40 : 0)
                    payloads.append([unit[0] & 0x60 | 28, flags | unit[0] & 0x1F] + part)
                }
            } else if unit[0] & 0x1F > 5 {
                aggregate += [0, UInt8(unit.count)] + unit
                continue
            } else {
                payloads.append(unit)
            }
        }
        if !aggregate.isEmpty { payloads.insert([24] + aggregate, at: 0) }
        for (index, payload) in payloads.enumerated() {
            send(payload, at: timestamp, marker: index == payloads.count - 1)
        }
    }

    static func annexB(_ units: [[UInt8]]) -> [UInt8] { units.flatMap { [0, 0, 0, 1] + $0 } }

    /// - Parameter isFlushed: the stream ends here.
    static func pictures(
        _ packets: [[UInt8]], of depacketizer: inout PictureDepacketizer, isFlushed: Bool = true
    ) -> [Unit] {
        var result: [Unit] = []
        for packet in packets {
            packet.withUnsafeBytes { bytes in
                guard let header = try? RTPHeader(bytes) else { return }  // damaged on purpose
                depacketizer.push(header, in: bytes) { result.append(Unit(unit: $0, bytes: Array($1))) }
            }
        }
        if isFlushed { depacketizer.flush { result.append(Unit(unit: $0, bytes: Array($1))) } }
        return result
    }

    static func frames(_ packets: [[UInt8]], of depacketizer: inout SoundDepacketizer) -> [Unit] {
        var result: [Unit] = []
        for packet in packets {
            packet.withUnsafeBytes { bytes in
                guard let header = try? RTPHeader(bytes) else { return }  // damaged on purpose
                depacketizer.push(header, in: bytes) { result.append(Unit(unit: $0, bytes: Array($1))) }
            }
        }
        return result
    }
}

extension PictureDepacketizer {
    static func h264(_ sets: [[UInt8]] = [], depth: Int? = nil, limit: Int = 4 << 20) -> PictureDepacketizer {
        made(.h264(parameterSets: sets, interleavingDepth: depth), limit: limit)
    }

    static func hevc(_ sets: [[UInt8]] = [], depth: Int? = nil, limit: Int = 4 << 20) -> PictureDepacketizer {
        made(.hevc(parameterSets: sets, interleavingDepth: depth), limit: limit)
    }

    static func video(limit: Int = 4 << 20) -> PictureDepacketizer { made(.mpegVideo, limit: limit) }

    private static func made(_ coding: ElementaryMedium.Coding, limit: Int) -> PictureDepacketizer {
        guard let depacketizer = PictureDepacketizer(coding, limit: limit) else {
            preconditionFailure("pictures of \(coding)")
        }
        return depacketizer
    }
}

extension SoundDepacketizer {
    init(_ coding: ElementaryMedium.Coding, clockRate: Int = 48_000) throws(WireError) {
        try self.init(
            ElementaryMedium(
                address: "239.1.1.1", port: 5_004, payloadType: 96, clockRate: clockRate, coding: coding))
    }
}

extension ElementaryMedium.Coding {
    /// AAC-LC, 48 000 Hz, 2 channels.
    static func aac(
        _ configuration: [UInt8] = [0x11, 0x90], sizeLength: Int = 13, indexLength: Int = 3, indexDeltaLength: Int = 3
    ) -> ElementaryMedium.Coding {
        .aac(
            ElementaryMedium.AACFormat(
                configuration: configuration, sizeLength: sizeLength, indexLength: indexLength,
                indexDeltaLength: indexDeltaLength))
    }
}
