// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The fixed header of an RTP packet, twelve octets, as parity needs it. Everything after it is payload here, including
/// CSRC, extension and padding.
struct ParityMedia {
    static let headerOctets = 12

    /// P, X and CC of the header.
    let flags: UInt8
    /// M and PT of the header.
    let type: UInt8
    let sequence: UInt16
    let timestamp: UInt32
    let ssrc: UInt32

    /// - Throws: `.truncated`; `.unsupported` for another version.
    init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        let first: UInt32 = try reader.read()
        guard first >> 30 == 2 else { throw WireError(.unsupported("RTP version", UInt64(first >> 30)), at: 0) }
        flags = UInt8(truncatingIfNeeded: first >> 24) & 0x3F
        type = UInt8(truncatingIfNeeded: first >> 16)
        sequence = UInt16(truncatingIfNeeded: first)
        timestamp = try reader.read()
        ssrc = try reader.read()
    }
}
