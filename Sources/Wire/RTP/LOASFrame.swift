// SPDX-License-Identifier: Apache-2.0
import Bytes

/// A frame of AudioSyncStream (ISO/IEC 14496-3 §1.7.2), as which a transport stream carries LATM.
///
///     +---------------+------------------+-----------------+
///     | 11: 0x2B7     | length 13        | audioMuxElement |
///     +---------------+------------------+-----------------+
enum LOASFrame {
    private static let headerOctets = 3
    static let mostOctets = headerOctets + (1 << 13) - 1

    /// Makes a frame of an element that has, or refers to, its own description.
    static func write(element: UnsafeRawBufferPointer, to frame: inout [UInt8]) throws(WireError) {
        try begin(element.count, &frame)
        frame.append(contentsOf: element)
    }

    /// Makes a frame of one payload.
    static func write(
        payload: UnsafeRawBufferPointer, _ config: StreamMuxConfig, to frame: inout [UInt8]
    ) throws(WireError) {
        let shift = config.headBits % 8
        let lengthOctets = payload.count / 0xFF + 1
        try begin(config.head.count + lengthOctets + payload.count, &frame)
        // The last octet of the head is completed by what follows.
        for octet in config.head.dropLast() { frame.append(octet) }
        var rest = config.head.last ?? 0
        func append(_ octet: UInt8) {
            frame.append(shift == 0 ? rest : rest | octet >> UInt8(shift))
            rest = shift == 0 ? octet : octet << UInt8(8 - shift)
        }
        for _ in 1..<lengthOctets { append(0xFF) }
        append(UInt8(payload.count % 0xFF))
        for octet in payload { append(octet) }
        frame.append(rest)
    }

    private static func begin(_ count: Int, _ frame: inout [UInt8]) throws(WireError) {
        guard count <= mostOctets - headerOctets else {
            throw WireError(.limit("audioMuxElement", UInt64(count)), at: 0)
        }
        frame.removeAll(keepingCapacity: true)
        frame.append(0x56)
        frame.append(0xE0 | UInt8(count >> 8))
        frame.append(UInt8(count & 0xFF))
    }
}
