// SPDX-License-Identifier: Apache-2.0
import CLibZ

/// Why compressed octets did not become plain ones.
public enum InflationError: Error, Equatable, Sendable {
    /// Not of the format, changed on the way, without its end, or of a preset dictionary.
    case damaged
    /// There would be more than was asked for.
    case tooLong(limit: Int)
}

/// Decompression of whole small bodies by zlib.
public enum Inflation {
    /// What follows the end of the stream is ignored.
    /// - Parameters:
    ///   - bytes: an RFC 1950 stream; borrowed for the call.
    ///   - limit: octets of the answer, 0...2^24; a bomb costs no more memory or time than these.
    /// - Thread: any; allocates the answer and zlib's window.
    public static func zlib(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(InflationError) -> [UInt8] {
        precondition((0...1 << 24).contains(limit))
        var result = Z_DATA_ERROR
        // One octet more than may be: zlib tells "too long" from "without its end" only when there is room.
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
