// SPDX-License-Identifier: Apache-2.0
import CLibZ

/// Compression of small bodies, each as a whole, by zlib.
public enum Deflation {
    /// Octets of the longest body, so that zlib's counts have room for it.
    public static let mostOctets = 1 << 24

    /// Octets of a body that is too short to be worth compressing.
    private static let leastOctets = 512

    /// A body as one member of gzip, as `gzip` makes it; nil if that is not shorter than the body.
    public static func gzipIfShorter(_ octets: [UInt8]) -> [UInt8]? {
        guard octets.count >= leastOctets, let compressed = gzip(octets) else { return nil }
        return compressed.count < octets.count ? compressed : nil
    }

    /// Compresses a body as one member of gzip (RFC 1952).
    /// - Parameter octets: at most `mostOctets`.
    /// - Returns: nil if there is no memory for it.
    /// - Thread: any; allocates the result and zlib's window.
    public static func gzip(_ octets: [UInt8]) -> [UInt8]? {
        precondition(octets.count <= mostOctets)
        var stream = z_stream()
        // 16 beside the bits of the window asks for gzip's header instead of zlib's.
        let isReady = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, zlibVersion(),
            CInt(MemoryLayout<z_stream>.size))
        guard isReady == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let most = Int(deflateBound(&stream, uLong(octets.count)))
        var isWhole = false
        // zlib does not write to its input, whose pointer its interface has as mutable.
        var input = octets
        let result = [UInt8](unsafeUninitializedCapacity: most) { room, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = room.baseAddress
                stream.avail_out = uInt(most)
                isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = isWhole ? most - Int(stream.avail_out) : 0
            }
        }
        return isWhole ? result : nil
    }
}
