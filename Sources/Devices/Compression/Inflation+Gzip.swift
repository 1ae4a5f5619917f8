// SPDX-License-Identifier: Apache-2.0
import CLibZ

extension Inflation {
    /// Decompresses a body that is one member of gzip (RFC 1952).
    /// - Parameters:
    ///   - octets: the whole body; nothing may follow the member.
    ///   - limit: greatest size of the result in octets, 0...2^24. It bounds memory and time even for a decompression bomb.
    /// - Thread: any; allocates the result and zlib's window.
    public static func gzip(_ octets: [UInt8], limit: Int) throws(InflationError) -> [UInt8] {
        precondition((0...1 << 24).contains(limit))
        guard octets.count <= 1 << 30 else { throw .damaged }
        var stream = z_stream()
        // 16 beside the bits of the window asks for gzip's header instead of zlib's.
        guard inflateInit2_(&stream, 15 + 16, zlibVersion(), CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .damaged
        }
        defer { inflateEnd(&stream) }
        var code = Z_DATA_ERROR
        // zlib does not write to its input, whose pointer its interface has as mutable.
        var input = octets
        // One octet above the limit: else a body that is too long looks like a truncated one.
        let plain = [UInt8](unsafeUninitializedCapacity: limit + 1) { room, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = room.baseAddress
                stream.avail_out = uInt(room.count)
                code = inflate(&stream, Z_FINISH)
                count = room.count - Int(stream.avail_out)
            }
        }
        if plain.count > limit { throw .tooLong(limit: limit) }
        guard code == Z_STREAM_END, stream.avail_in == 0 else { throw .damaged }
        return plain
    }
}
