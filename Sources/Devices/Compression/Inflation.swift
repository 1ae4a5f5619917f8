// SPDX-License-Identifier: Apache-2.0
import CLibZ

/// Why decompression failed.
public enum InflationError: Error, Equatable, Sendable {
    /// The input is not an RFC 1950 stream, is corrupted or truncated, or needs a preset dictionary.
    case damaged
    /// The decompressed body would exceed the limit.
    case tooLong(limit: Int)
}

/// Decompression of small bodies, each as a whole, by zlib.
public enum Inflation {
    /// Decompresses one stream; octets after its end are ignored.
    /// - Parameters:
    ///   - bytes: an RFC 1950 stream; borrowed for the call.
    ///   - limit: greatest size of the result in octets, 0...2^24. It bounds memory and time even
    ///     for a decompression bomb.
    /// - Thread: any; allocates the result and zlib's window.
    public static func zlib(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(InflationError) -> [UInt8] {
        precondition((0...1 << 24).contains(limit))
        var result = Z_DATA_ERROR
        // One octet above the limit: zlib tells a body that is too long from a truncated one only if there is room
        // left.
        let plain = [UInt8](unsafeUninitializedCapacity: limit + 1) { room, count in
            guard let source = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
            var octets = uLongf(room.count)
            result = uncompress(room.baseAddress, &octets, source, uLong(bytes.count))
            count = result == Z_OK ? Int(octets) : 0
        }
        switch result {
        case Z_OK where plain.count <= limit: return plain
        case Z_OK, Z_BUF_ERROR: throw .tooLong(limit: limit)
        default: throw .damaged
        }
    }
}
