// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The header of a picture of FWHT, the codec of the kernel's test driver `vicodec` (codec-fwht.h). There is no
/// standard for it in a transport stream: it is carried as private data (stream_type 0x06, registration "FWHT"), one
/// picture per PES packet.
///
///     +-----------------------+---------+-------+--------+-------+------------+-----+--------------+--------+------+
///     | 4F4F4F4F FFFFFFFF     | version | width | height | flags | colorspace | ... | quantization | size   | data |
///     +-----------------------+---------+-------+--------+-------+------------+-----+--------------+--------+------+
///       32 bits each, and four of colour                                               of the data
struct FWHTHeader: Equatable {
    static let octets = 44
    private static let magic: UInt64 = 0x4F4F_4F4F_FFFF_FFFF

    let width: UInt32
    let height: UInt32
    /// FWHT_FL_I_FRAME: the picture refers to no other picture.
    let isIntra: Bool
    /// Octets of the data after the header.
    let size: UInt32

    init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        let magic: UInt64 = try reader.read()
        guard magic == Self.magic else { throw WireError(.invalid("magic", magic), at: 0) }
        try reader.skip(4)
        width = try reader.read()
        height = try reader.read()
        let flags: UInt32 = try reader.read()
        isIntra = flags & 1 << 10 != 0
        try reader.skip(16)
        size = try reader.read()
    }
}
